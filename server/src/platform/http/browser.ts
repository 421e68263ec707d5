import type { FastifyReply, FastifyRequest } from "fastify";
import { notAllowed } from "./api-error.ts";

/** The browser that makes a call, for those few calls that need a cookie. Sessions have none: their token is in the request. */
export interface Browser {
  /** Throws when a page of another site makes the call, as far as the browser tells. */
  checkSite(): void;
  cookie(name: string): string | undefined;
  /** Sets a cookie that scripts cannot read and other sites cannot send along, for so many seconds; 0 removes it. */
  setCookie(name: string, value: string, seconds: number): void;
}

/** Values of `Sec-Fetch-Site` for our own pages, and for addresses that the user typed. */
const ownSites = new Set(["same-origin", "none"]);

/** Browsers accept a name that begins so over https only, for this host only: no neighbouring host can set it. */
const hostOnly = "__Host-";

/** The browser of a request. */
export const browserOf = (request: FastifyRequest, reply: FastifyReply): Browser => ({
  checkSite: () => {
    const site = request.headers["sec-fetch-site"];
    if (typeof site === "string" && !ownSites.has(site)) throw notAllowed("Another site's page can't do this");
  },
  cookie: (name) => {
    const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim());
    return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  },
  setCookie: (name, value, seconds) => {
    const secure = name.startsWith(hostOnly) ? "; Secure" : "";
    void reply.header("set-cookie", `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`);
  },
});
