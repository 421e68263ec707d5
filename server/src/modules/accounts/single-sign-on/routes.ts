import type { singleSignOn } from "@telltale/contract/domains/people/single-sign-on";
import { invalid, notFound } from "../../../platform/http/api-error.ts";
import type { Handlers } from "../../../platform/http/mount.ts";
import { createNetworkTries } from "../../../platform/limits/network.ts";
import type { World } from "../../../world.ts";
import { userInfo } from "../records/queries.ts";
import { createAdmit } from "./admit.ts";
import type { Provider } from "./provider.ts";
import { beginFlow, flowLife, takeFlow } from "./queries.ts";

/** Tries of a network per window, in milliseconds. An address may stand for a whole plant; each beginning is a row in the database. */
const limits = { begun: { most: 200, window: 300_000 }, failed: { most: 50, window: 300_000 } };

const interrupted = "This sign-in was begun in another browser, was used, or took too long. Please start again";

interface Options {
  provider: Provider | undefined;
  supportEmail: string | undefined;
}

/** Sign-in through the operator's provider. */
export const singleSignOnRoutes = (
  world: Pick<World, "db" | "pool" | "bus" | "clock" | "node" | "closed" | "publicUrl">,
  { provider, supportEmail }: Options,
): Handlers<typeof singleSignOn> => {
  const { db, clock, publicUrl } = world;
  const begun = createNetworkTries(world, "single sign-ons begun", limits.begun);
  const failed = createNetworkTries(world, "single sign-ons", limits.failed);
  const cookie = `${publicUrl.startsWith("https:") ? "__Host-" : ""}telltale-sso`;
  const admit = provider && createAdmit(world, { settings: provider.settings, supportEmail });
  const notSetUp = () => notFound("Single sign-on is not set up on this server");
  return {
    begin: async ({ email, again }, { address }, browser) => {
      if (!provider) throw notSetUp();
      browser.checkSite();
      await begun.count(address);
      const { browser: secret, ...secrets } = await beginFlow(db, clock.date());
      const url = await provider.signInAddress(secrets, { loginHint: email, isAgain: again !== undefined });
      browser.setCookie(cookie, secret, flowLife / 1000);
      return { url };
    },
    finish: async ({ answer: text, email, accessToken }, visitor, browser) => {
      if (!provider || !admit) throw notSetUp();
      browser.checkSite();
      await failed.count(visitor.address);
      const answer = new URLSearchParams(text);
      const [state, secret] = [answer.get("state"), browser.cookie(cookie)];
      const flow = state && secret ? await takeFlow(db, { state, browser: secret, now: clock.date() }) : undefined;
      if (!flow) throw invalid(interrupted);
      browser.setCookie(cookie, "", 0);
      const identity = await provider.identityIn(answer, flow);
      const link = email && accessToken ? { email, secret: accessToken } : undefined;
      const signedIn = await admit(identity, visitor, link);
      await failed.pardon(visitor.address);
      return userInfo(db, signedIn);
    },
  };
};
