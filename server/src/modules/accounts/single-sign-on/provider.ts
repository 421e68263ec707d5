import type { ClientAuth, Configuration, IDToken, UserInfoResponse } from "openid-client";
import { codeOf, fieldOf } from "../../../platform/fault.ts";
import { type ApiError, invalid } from "../../../platform/http/api-error.ts";
import type { World } from "../../../world.ts";
import type { ProviderSettings } from "./settings.rules.ts";

/** A person as the provider knows them. */
export interface Identity {
  issuer: string;
  subject: string;
  /** Empty when the provider names none. */
  email: string;
  /** Whether the provider has checked that the address is the person's. */
  isVerified: boolean;
  firstName: string;
  lastName: string;
  groups: string[];
}

/** The secrets of one sign-in at the provider. */
export interface FlowSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** How the provider asks who it is. */
export interface Asked {
  /** An address that it may fill in. */
  loginHint: string | undefined;
  /** Also a person whom it knows already. */
  isAgain: boolean;
}

/** The operator's provider, by OpenID Connect's authorization code flow. */
export interface Provider {
  settings: ProviderSettings;
  /** Address at the provider to which the browser goes. */
  signInAddress(secrets: FlowSecrets, asked: Asked): Promise<string>;
  /** Who has signed in, from the parameters with which the browser came back. Throws when they prove nothing. */
  identityIn(answer: URLSearchParams, secrets: FlowSecrets): Promise<Identity>;
  /** Writes a warning of one line when the provider's address is wrong or does not answer; a server of alarms starts without it. */
  tryIt(): Promise<void>;
}

/** Timeout of a request to the provider, seconds. */
const timeout = 10;

/** How long the provider's addresses are used before they are read again, milliseconds. */
const metadataLife = 3_600_000;

/** Loaded at the first use: most servers have no provider. */
const library = () => import("openid-client");

const unreachableCodes = new Set(["OAUTH_TIMEOUT", "OAUTH_RESPONSE_IS_NOT_CONFORM"]);

const isUnreachable = (fault: unknown): boolean =>
  unreachableCodes.has(codeOf(fault) ?? "") || (fault instanceof TypeError && fault.message === "fetch failed");

/** The innermost reason of a failed request, in one line. */
const reasonOf = (fault: unknown): string => {
  const cause = fieldOf(fault, "cause");
  const inner = cause instanceof Error ? reasonOf(cause) : "";
  const own = (fault instanceof Error ? fault.message : String(fault)) || (codeOf(fault) ?? "");
  return inner === "" || inner === own ? own : `${own}: ${inner}`;
};

type Claims = IDToken | (IDToken & UserInfoResponse);

const textIn = (claims: Claims, name: string): string => {
  const value = claims[name];
  return typeof value === "string" ? value : "";
};

/** A list, or a single group as some providers send it. */
const groupsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((group): group is string => typeof group === "string");

/** Some providers send `email_verified` as a text. */
const identityOf = (claims: Claims, { groupsClaim }: ProviderSettings): Identity => ({
  issuer: claims.iss,
  subject: claims.sub,
  email: textIn(claims, "email").trim(),
  isVerified: claims.email_verified === true || textIn(claims, "email_verified") === "true",
  firstName: textIn(claims, "given_name").slice(0, 100),
  lastName: textIn(claims, "family_name").slice(0, 100),
  groups: groupsIn(claims[groupsClaim]),
});

/** What a user is told when the provider does not let them in, does not answer, or answers what is not accepted; the log has the reason. */
const createRefusals =
  ({ log }: Pick<World, "log">, { issuer, name }: ProviderSettings) =>
  (fault: unknown): ApiError => {
    const error = fieldOf(fault, "error");
    if (codeOf(fault) === "OAUTH_AUTHORIZATION_RESPONSE_ERROR" && error === "access_denied")
      return invalid(
        `${name} did not let you in, or you cancelled. Please try again, or ask who manages your user there`,
      );
    if (error === "invalid_grant") return invalid(`This sign-in at ${name} was used or is too old. Please start again`);
    if (isUnreachable(fault)) {
      log.warn(`Single sign-on: ${issuer} can't be reached: ${reasonOf(fault)}`);
      return invalid(`${name} can't be reached at the moment. Please try again in a minute`);
    }
    log.error(`Single sign-on: the answer of ${issuer} was refused: ${reasonOf(fault)}`);
    return invalid(
      `The answer of ${name} was not accepted. Please try again; if it stays so, ask the operator of this server`,
    );
  };

/** Reads the provider's addresses and keeps them for a while; after a failure the next call tries again. */
const createDiscovery = ({ clock }: Pick<World, "clock">, { issuer, clientId, secret }: ProviderSettings) => {
  let known: { config: Configuration; until: number } | undefined;
  return async (): Promise<Configuration> => {
    if (known && known.until > clock.now()) return known.config;
    const client = await library();
    const byBasic = client.ClientSecretBasic(secret);
    const byPost = client.ClientSecretPost(secret);
    const authenticate: ClientAuth = (as, ...rest) => {
      // What providers do that name none.
      const methods = as.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
      return (methods.includes("client_secret_basic") ? byBasic : byPost)(as, ...rest);
    };
    const isOpen = issuer.startsWith("http:");
    const config = await client.discovery(new URL(issuer), clientId, undefined, authenticate, {
      timeout,
      // Without the latter the library does not check the signature of an ID token that came over TLS.
      execute: [...(isOpen ? [client.allowInsecureRequests] : []), client.enableNonRepudiationChecks],
    });
    known = { config, until: clock.now() + metadataLife };
    return config;
  };
};

/** Every provider has to support `login`, which some tie to the person whom they know. */
const promptOf = (config: Configuration): string => {
  const supported = config.serverMetadata().prompt_values_supported;
  return Array.isArray(supported) && supported.includes("select_account") ? "select_account" : "login";
};

/** The claims, with those that many providers have at another address only. */
const allClaims = async (
  config: Configuration,
  { claims, accessToken }: { claims: IDToken; accessToken: string },
  { roles, groupsClaim }: ProviderSettings,
): Promise<Claims> => {
  const isComplete = claims.email !== undefined && (roles.length === 0 || claims[groupsClaim] !== undefined);
  if (isComplete || !config.serverMetadata().userinfo_endpoint) return claims;
  const info = await (await library()).fetchUserInfo(config, accessToken, claims.sub);
  return { ...info, ...claims };
};

/** Creates the client of the provider. `redirectUri` is the console's page to which browsers come back. */
export const createProvider = (
  world: Pick<World, "log" | "clock">,
  settings: ProviderSettings,
  redirectUri: string,
): Provider => {
  const { issuer, scope } = settings;
  const refusal = createRefusals(world, settings);
  const discover = createDiscovery(world, settings);
  const orRefused = <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((fault: unknown) => {
      throw refusal(fault);
    });
  return {
    settings,
    signInAddress: ({ state, nonce, codeVerifier }, { loginHint, isAgain }) =>
      orRefused(async () => {
        const [client, config] = [await library(), await discover()];
        const parameters = {
          ...{ redirect_uri: redirectUri, scope, state, nonce, code_challenge_method: "S256" },
          code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
          ...(loginHint ? { login_hint: loginHint } : {}),
          ...(isAgain ? { prompt: promptOf(config) } : {}),
        };
        return client.buildAuthorizationUrl(config, parameters).href;
      }),
    identityIn: (answer, { state, nonce, codeVerifier }) =>
      orRefused(async () => {
        const [client, config] = [await library(), await discover()];
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier };
        const tokens = await client.authorizationCodeGrant(config, new URL(`${redirectUri}?${answer}`), checks);
        const claims = tokens.claims();
        if (!claims) throw new Error("There is no ID token in it");
        return identityOf(await allClaims(config, { claims, accessToken: tokens.access_token }, settings), settings);
      }),
    tryIt: async () => {
      try {
        await discover();
      } catch (fault) {
        world.log.warn(`OIDC_ISSUER=${issuer} does not work: ${reasonOf(fault)}. It is tried again at each sign-in`);
      }
    },
  };
};
