import type { Call, Input, Result } from "@telltale/contract/call/call";
import type { Envelope } from "@telltale/contract/call/codes";
import type { FastifyInstance } from "fastify";

/** A browser with cookies, for the few calls that use them. */
export interface TestBrowser {
  /** Makes a call; returns the answer as it was sent. */
  ask<C extends Call>(
    call: C,
    input: Partial<Input<C>>,
    headers?: Record<string, string>,
  ): Promise<Envelope & { result: Result<C> }>;
  /** The last `Set-Cookie` header. */
  lastCookie(): string;
}

/** Opens a browser without cookies. */
export const openBrowser = (app: FastifyInstance): TestBrowser => {
  const cookies = new Map<string, string>();
  let last = "";
  return {
    ask: async (call, input, headers = {}) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const answer = await app.inject({
        method: call.method,
        url: call.path,
        headers: { ...headers, cookie },
        payload: { ...input },
      });
      last = String(answer.headers["set-cookie"] ?? "");
      const [name = "", value = ""] = (last.split(";", 1)[0] ?? "").split("=");
      if (name) cookies.set(name, value);
      return answer.json();
    },
    lastCookie: () => last,
  };
};
