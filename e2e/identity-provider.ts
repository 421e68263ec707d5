import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An OpenID Connect provider on loopback, with a sign-in page that asks for an e-mail address only. */
export interface IdentityProvider {
  /** Settings of a server that uses it. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

const client = { client_id: "telltale", client_secret: "a secret of browser tests" };

const page = (uid: string): string => `<!doctype html><html lang="en"><title>Riverside Works</title>
<form action="/interaction/${uid}/as"><label>Company address <input name="email" autofocus></label><button>Continue</button></form>`;

/** Starts it; whoever signs in has the address that they enter, verified. */
export const startIdentityProvider = async (): Promise<IdentityProvider> => {
  const { Provider } = await import("oidc-provider");
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: ["http://127.0.0.1/sso"] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: [] },
    cookies: { keys: ["a key of browser tests"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    pkce: { required: () => true },
    findAccount: (_context, email) => ({
      accountId: email,
      claims: () => ({ sub: email, email, email_verified: true }),
    }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: client.client_id, accountId: oidc.account?.accountId ?? "" });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  // A server of tests gets its port when it starts.
  provider.Client.prototype.redirectUriAllowed = (uri: string) => /^http:\/\/127\.0\.0\.1:\d+\/sso$/.test(uri);
  provider.use(async (context, next) => {
    const [, uid, step] = /^\/interaction\/([^/]+)(\/as)?$/.exec(context.path) ?? [];
    if (uid === undefined) return next();
    if (step === undefined) {
      context.type = "html";
      context.body = page(uid);
      return;
    }
    context.respond = false;
    const login = { accountId: String(context.query.email), remember: false };
    await provider.interactionFinished(context.req, context.res, { login });
  });
  server.on("request", provider.callback());
  return {
    env: {
      ...{ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client.client_id, OIDC_SECRET: client.client_secret },
      OIDC_NAME: "Riverside Works",
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
