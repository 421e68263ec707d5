import { existsSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import fastifyStatic from "@fastify/static";
import { addDevicePath } from "@telltale/contract/domains/fleet/add-device-link";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFound } from "./api-error.ts";
import { refused } from "./envelope.ts";
import { styleNonce } from "./security.ts";

const year = 31_536_000;

const isCall = (path: string): boolean => /^\/(api|web)(\/|$)/.test(path);
const isFile = (path: string): boolean => /\.\w+$/.test(path);

const pathOf = (request: FastifyRequest): string => request.url.split("?", 1)[0] ?? "";

/** Whether the request is for a page of the console; all pages are index.html. */
const isPage = (request: FastifyRequest): boolean => {
  const path = pathOf(request);
  return ["GET", "HEAD"].includes(request.method) && !isCall(path) && !isFile(path);
};

const answerNotFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  isCall(pathOf(request))
    ? reply.code(200).send(refused(notFound()))
    : reply.code(404).type("text/plain").send("Not found");

/** Pages of the links in alerts, which show the alert on a phone. */
const linkPath = /^\/c(\/|$)/;

/**
 * Pages from which phones are not redirected: those of registration, those that a link in a message, a label or a payment leads to for one thing, which
 * the mobile site would not know of, and the one that the service worker keeps. (spec 2 §1)
 */
const stays = [
  "/shell",
  "/register",
  "/loginEmail",
  "/confirm",
  "/resetPassword",
  "/resetPasswordEmail",
  "/forgetEdit",
  "/agreement",
  "/adminLogin",
  addDevicePath,
  "/sso",
  "/contact",
  "/paybtn",
  "/payResult",
  "/alarms/detail",
  "/alarms/report",
];

const staysHere = (path: string): boolean => linkPath.test(path) || stays.includes(path);

const isPhone = (request: FastifyRequest): boolean =>
  /Mobi|Android|iPhone|iPod/.test(request.headers["user-agent"] ?? "");

/** Placeholder in index.html for the style nonce. */
const noncePlace = "%STYLE_NONCE%";

/** Sends the console's page with a fresh nonce; never cached, since a cached page would carry an old nonce. */
const pageSender = (file: string) => {
  const page = readFileSync(file, "utf8");
  return (reply: FastifyReply): FastifyReply =>
    reply
      .header("cache-control", "no-cache")
      .type("text/html; charset=utf-8")
      .send(page.replaceAll(noncePlace, styleNonce(reply)));
};

/**
 * Serves the built console from `folder`; every address that is neither a call nor a file gets its page. Phones are redirected to the mobile site, if
 * there is one.
 */
export const serveConsole = async (
  app: FastifyInstance,
  folder: string | undefined,
  mobileSiteUrl?: string,
): Promise<void> => {
  const page = folder === undefined ? undefined : join(folder, "index.html");
  const sendPage = page !== undefined && existsSync(page) ? pageSender(page) : undefined;
  if (folder !== undefined && sendPage) {
    await app.register(fastifyStatic, {
      root: folder,
      globIgnore: ["index.html", "**/*.br"],
      // The build has written them beside the files.
      preCompressed: true,
      wildcard: false,
      index: false,
      cacheControl: false,
      setHeaders: (reply, path) => {
        // Files with a hash in their name never change; all others are revalidated.
        const isHashed = path.includes(`${sep}assets${sep}`);
        reply.header("cache-control", isHashed ? `public, max-age=${year}, immutable` : "no-cache");
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    if (!isPage(request)) return answerNotFound(request, reply);
    if (mobileSiteUrl !== undefined && isPhone(request) && !staysHere(pathOf(request)))
      return reply.header("vary", "user-agent").header("cache-control", "no-store").redirect(mobileSiteUrl, 302);
    if (sendPage) return sendPage(reply);
    return reply.code(404).type("text/plain").send("The console has not been built: start the server by `npm start`");
  });
};
