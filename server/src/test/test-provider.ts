import { createSign, generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Configuration } from "oidc-provider";
import type { ProviderSettings } from "../modules/accounts/single-sign-on/settings.rules.ts";

/** Where the provider sends browsers back to: the console of a test world. */
export const redirectUri = "https://telltale.test/sso";

const client = { client_id: "telltale", client_secret: "a secret of test providers" };

type Claims = Record<string, unknown>;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A JWT of these claims: signed with the key by RS256, or unsigned. */
const jwt = (header: object, claims: object, key: KeyObject | undefined): string => {
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${key ? createSign("RSA-SHA256").update(text).sign(key, "base64url") : ""}`;
};

const decoded = (text: string | undefined): Claims => JSON.parse(Buffer.from(text ?? "", "base64url").toString());

const newKey = (): KeyObject => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;

/** How an answer of the provider is falsified. */
export type Forgery = "another key" | "no signature" | Claims;

/** A real OpenID Connect provider on loopback. */
export interface TestProvider {
  settings: ProviderSettings;
  /** Creates a person there; returns the subject. */
  person(claims: Claims): string;
  /** Changes what the provider says of a person. */
  change(subject: string, claims: Claims): void;
  /** Signs the person in at an address of `begin`; returns the query string of the redirect back. */
  visit(url: string, subject: string): Promise<string>;
  /** Falsifies the next ID tokens; undefined: no longer. */
  forge(forgery: Forgery | undefined): void;
  /** Stops listening, and listens again at the same address. */
  stop(): Promise<void>;
  restart(): Promise<void>;
}

const configuration = (key: KeyObject, people: ReadonlyMap<string, Claims>, isInToken: boolean): Configuration => ({
  clients: [{ ...client, redirect_uris: [redirectUri], token_endpoint_auth_method: "client_secret_basic" }],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["given_name", "family_name", "groups"] },
  // As most providers do; the standard has them at the address for user information only.
  conformIdTokenClaims: !isInToken,
  cookies: { keys: ["a key of test providers"] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  jwks: { keys: [{ ...key.export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" }] },
  ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  pkce: { required: () => true },
  findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...people.get(accountId) }) }),
  loadExistingGrant: async ({ oidc }) => {
    const grant = new oidc.provider.Grant({ clientId: client.client_id, accountId: oidc.account?.accountId ?? "" });
    grant.addOIDCScope("openid email profile");
    await grant.save();
    return grant;
  },
});

const listenAt = async (server: Server, port: number): Promise<number> => {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: own } = server.address() as AddressInfo;
  return own;
};

/** Follows redirects with cookies, as a browser does, until one leads to the console. */
const follow = async (start: string): Promise<string> => {
  const cookies = new Map<string, string>();
  let at = start;
  for (let step = 0; step < 10; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(at, { redirect: "manual", headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (set.split(";", 1)[0] ?? "").split("=");
      cookies.set(name, value);
    }
    const to = answer.headers.get("location");
    if (to === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
    at = new URL(to, at).href;
    if (at.startsWith(redirectUri)) return new URL(at).search.slice(1);
  }
  throw new Error("The provider redirects for ever");
};

/** Starts a provider. `isInToken`: the ID token has all claims; else they are at the address for user information. */
export const startTestProvider = async ({
  isInToken = true,
  ...given
}: Partial<ProviderSettings> & { isInToken?: boolean } = {}): Promise<TestProvider> => {
  const { Provider } = await import("oidc-provider");
  const people = new Map<string, Claims>();
  const [key, otherKey] = [newKey(), newKey()];
  let forgery: Forgery | undefined;
  let visitor = "";
  let server = createServer();
  const port = await listenAt(server, 0);
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, configuration(key, people, isInToken));

  const forged = (token: string): string => {
    const [header, claims] = token.split(".").slice(0, 2).map(decoded);
    if (forgery === "another key") return jwt(header ?? {}, claims ?? {}, otherKey);
    if (forgery === "no signature") return jwt({ alg: "none" }, claims ?? {}, undefined);
    return jwt(header ?? {}, { ...claims, ...(forgery ?? {}) }, key);
  };
  provider.use(async (context, next) => {
    if (context.path.startsWith("/interaction/")) {
      context.respond = false;
      await provider.interactionFinished(context.req, context.res, { login: { accountId: visitor } });
      return;
    }
    await next();
    const body = context.body as { id_token?: string } | undefined;
    if (forgery && context.path === "/token" && body?.id_token)
      context.body = { ...body, id_token: forged(body.id_token) };
  });
  const handle = provider.callback();
  server.on("request", handle);

  return {
    settings: {
      ...{ issuer, clientId: client.client_id, secret: client.client_secret, name: "Riverside Works" },
      ...{ scope: "openid email profile", groupsClaim: "groups", roles: [], ...given },
    },
    person: (claims) => {
      const subject = randomUUID();
      people.set(subject, claims);
      return subject;
    },
    change: (subject, claims) => void people.set(subject, { ...people.get(subject), ...claims }),
    visit: (url, subject) => {
      visitor = subject;
      return follow(url);
    },
    forge: (next) => {
      forgery = next;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close").catch(() => undefined);
    },
    restart: async () => {
      server = createServer(handle);
      await listenAt(server, port);
    },
  };
};
