import { Code } from "@telltale/contract/call/codes";
import { singleSignOn } from "@telltale/contract/domains/people/single-sign-on";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createLog } from "../../../platform/log.ts";
import { openBrowser, type TestBrowser } from "../../../test/test-browser.ts";
import { testClock } from "../../../test/test-clock.ts";
import { anOwner } from "../../../test/test-people.ts";
import { type Forgery, redirectUri, startTestProvider, type TestProvider } from "../../../test/test-provider.ts";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";
import { createProvider } from "./provider.ts";

let provider: TestProvider;
let server: TestServer;
let subject: string;

const clientOf = ({ settings }: TestProvider) =>
  createProvider({ log: createLog("silent"), clock: testClock() }, settings, redirectUri);

beforeAll(async () => {
  provider = await startTestProvider();
  server = await startTestServer({ provider: clientOf(provider) });
  const { email } = await anOwner(server.world);
  subject = provider.person({ email, email_verified: true });
});
afterAll(async () => {
  await server.close();
  await provider.stop();
});
beforeEach(() => server.world.clock.pass(300_000));

const begin = async (browser: TestBrowser) => (await browser.ask(singleSignOn.begin, {})).result.url;
/** Comes back from the provider; the answer is not used yet. */
const comeBack = async () => {
  const browser = openBrowser(server.app);
  return { browser, answer: await provider.visit(await begin(browser), subject) };
};
const finish = (browser: TestBrowser, answer: string) => browser.ask(singleSignOn.finish, { answer });
const signIn = async () => {
  const { browser, answer } = await comeBack();
  return finish(browser, answer);
};
const changed = (answer: string, fields: Record<string, string>): string =>
  new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(answer)), ...fields }).toString();

const refused = (part: string) => ({
  code: Code.invalid,
  msg: expect.stringContaining(part),
  result: null,
});
const interrupted = refused("was begun in another browser, was used, or took too long");
const notAccepted = refused("The answer of Riverside Works was not accepted");

const seconds = (): number => Math.floor(Date.now() / 1000);

describe("an ID token", () => {
  test.each<[string, () => Forgery]>([
    ["of another key", () => "another key"],
    ["without a signature", () => "no signature"],
    ["with another nonce", () => ({ nonce: "of another sign-in" })],
    ["without a nonce", () => ({ nonce: undefined })],
    ["for another client", () => ({ aud: "another client" })],
    ["of another issuer", () => ({ iss: "https://provider.example" })],
    ["that has expired", () => ({ exp: seconds() - 120 })],
    ["without an end", () => ({ exp: undefined })],
    ["without a subject", () => ({ sub: undefined })],
  ])("%s is not accepted, and the next sign-in works", async (_name, forgery) => {
    provider.forge(forgery());
    const answer = await signIn();
    provider.forge(undefined);
    expect(answer).toEqual(notAccepted);
    expect((await signIn()).code).toBe(Code.success);
  });
});

describe("an answer", () => {
  test("counts once", async () => {
    const { browser, answer } = await comeBack();
    expect((await finish(browser, answer)).code).toBe(Code.success);
    expect(await finish(browser, answer)).toEqual(interrupted);
  });

  test("counts once when it is sent twice at the same time", async () => {
    const { browser, answer } = await comeBack();
    const codes = await Promise.all([finish(browser, answer), finish(browser, answer)]);
    expect(codes.map(({ code }) => code).sort()).toEqual([Code.success, Code.invalid]);
  });

  test("counts in the browser that asked, and in no other", async () => {
    const { browser, answer } = await comeBack();
    const victim = openBrowser(server.app);
    expect(await finish(victim, answer)).toEqual(interrupted);
    await begin(victim);
    expect(await finish(victim, answer)).toEqual(interrupted);
    expect((await finish(browser, answer)).code).toBe(Code.success);
  });

  test("with the code of another sign-in is refused", async () => {
    const [theirs, mine] = [await comeBack(), await comeBack()];
    const code = new URLSearchParams(theirs.answer).get("code") ?? "";
    expect(await finish(mine.browser, changed(mine.answer, { code }))).toEqual(refused("was used or is too old"));
  });

  test("with a code that was used is refused", async () => {
    const [first, second] = [await comeBack(), await comeBack()];
    await finish(first.browser, first.answer);
    const code = new URLSearchParams(first.answer).get("code") ?? "";
    expect(await finish(second.browser, changed(second.answer, { code }))).toEqual(refused("was used or is too old"));
  });

  test.each([
    ["an unknown state", { state: "made up" }],
    ["no state", { state: "" }],
  ])("with %s is refused", async (_name, fields) => {
    const { browser, answer } = await comeBack();
    expect(await finish(browser, changed(answer, fields))).toEqual(interrupted);
  });

  test("of another issuer is refused", async () => {
    const { browser, answer } = await comeBack();
    expect(await finish(browser, changed(answer, { iss: "https://provider.example" }))).toEqual(notAccepted);
  });

  test("that comes after ten minutes is refused", async () => {
    const { browser, answer } = await comeBack();
    server.world.clock.pass(600_001);
    expect(await finish(browser, answer)).toEqual(interrupted);
  });

  test("that says no is passed on", async () => {
    const { browser, answer } = await comeBack();
    const { state = "", iss = "" } = Object.fromEntries(new URLSearchParams(answer));
    const denied = new URLSearchParams({ error: "access_denied", state, iss }).toString();
    expect(await finish(browser, denied)).toEqual(refused("Riverside Works did not let you in, or you cancelled"));
  });
});

describe("the provider", () => {
  test("gets the console's address and no other, a challenge, and asks for a sign-in by code", async () => {
    const url = new URL(await begin(openBrowser(server.app)));
    expect(url.origin).toBe(provider.settings.issuer);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: "telltale",
      redirect_uri: redirectUri,
      response_type: "code",
      scope: "openid email profile",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test("asks again for who it is when this server has refused the person", async () => {
    const { result } = await openBrowser(server.app).ask(singleSignOn.begin, {
      again: "1",
      email: "m@riverside.example",
    });
    const { prompt, login_hint } = Object.fromEntries(new URL(result.url).searchParams);
    expect({ prompt, login_hint }).toEqual({ prompt: "login", login_hint: "m@riverside.example" });
  });

  test("that is down is named in one sentence, and a later try works", async () => {
    const { browser, answer } = await comeBack();
    const fresh = await startTestServer({ provider: clientOf(provider) });
    await provider.stop();
    const down = refused("Riverside Works can't be reached at the moment. Please try again in a minute");
    expect(await finish(browser, answer)).toEqual(down);
    expect(await openBrowser(fresh.app).ask(singleSignOn.begin, {})).toEqual(down);
    await provider.restart();
    expect((await signIn()).code).toBe(Code.success);
    expect((await openBrowser(fresh.app).ask(singleSignOn.begin, {})).code).toBe(Code.success);
    await fresh.close();
  });

  test("is tried at the start: one line of the log says what is wrong with it", async () => {
    const lines: string[] = [];
    const log = createLog("info", { write: (line) => void lines.push(JSON.parse(line).msg) });
    const { settings } = provider;
    const tryIt = (issuer: string) =>
      createProvider({ log, clock: testClock() }, { ...settings, issuer }, redirectUri).tryIt();
    await tryIt(settings.issuer);
    await tryIt(`${settings.issuer}/elsewhere`);
    await tryIt("http://127.0.0.1:9");
    expect(lines).toEqual([
      expect.stringMatching(/^OIDC_ISSUER=.*\/elsewhere does not work: .+\. It is tried again at each sign-in$/),
      expect.stringMatching(/^OIDC_ISSUER=http:\/\/127\.0\.0\.1:9 does not work: .+/),
    ]);
  });

  test("may have the address and the groups for user information only", async () => {
    const other = await startTestProvider({ isInToken: false });
    const plain = await startTestServer({ provider: clientOf(other) });
    const { email } = await anOwner(plain.world);
    const browser = openBrowser(plain.app);
    const { result } = await browser.ask(singleSignOn.begin, { email });
    const answer = await other.visit(result.url, other.person({ email, email_verified: true }));
    expect(await finish(browser, answer)).toMatchObject({ code: Code.success, result: { email } });
    await plain.close();
    await other.stop();
  });
});

describe("a browser", () => {
  test("has one cookie during the sign-in, which scripts and other sites do not get", async () => {
    const { browser, answer } = await comeBack();
    expect(browser.lastCookie()).toMatch(
      /^__Host-telltale-sso=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    );
    await finish(browser, answer);
    expect(browser.lastCookie()).toBe("__Host-telltale-sso=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure");
  });

  test("is refused on a page of another site", async () => {
    const { browser, answer } = await comeBack();
    const elsewhere = { "sec-fetch-site": "cross-site" };
    expect((await browser.ask(singleSignOn.begin, {}, elsewhere)).code).toBe(Code.notAllowed);
    expect((await browser.ask(singleSignOn.finish, { answer }, elsewhere)).code).toBe(Code.notAllowed);
    expect((await browser.ask(singleSignOn.finish, { answer }, { "sec-fetch-site": "same-origin" })).code).toBe(
      Code.success,
    );
  });

  test("that tries too often has to wait; those who succeed do not count", async () => {
    const { browser, answer } = await comeBack();
    for (let failed = 0; failed < 50; failed++) await finish(browser, changed(answer, { state: "made up" }));
    expect((await finish(browser, answer)).code).toBe(Code.tooManyTries);
    server.world.clock.pass(300_000);
    expect((await finish(browser, answer)).code).toBe(Code.success);
  });
});

test("a server without a provider has no single sign-on", async () => {
  const plain = await startTestServer();
  const browser = openBrowser(plain.app);
  expect((await browser.ask(singleSignOn.begin, {})).code).toBe(Code.notFound);
  expect((await browser.ask(singleSignOn.finish, { answer: "" })).code).toBe(Code.notFound);
  await plain.close();
});
