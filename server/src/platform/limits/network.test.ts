import { registration } from "@telltale/contract/domains/people/registration";
import { afterAll, beforeAll, expect, test } from "vitest";
import { password } from "../../test/test-passwords.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let count = 0;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Guesses a device ID from this address; returns the answer's code. */
const guessFrom = async (remoteAddress: string): Promise<number> => {
  const email = `nobody.${++count}@example.test`;
  const payload = { email, telltaleId: `GUESS${count}`, password, confirmPassword: password, terms: "1" };
  const { path: url } = registration.register;
  return (await server.app.inject({ method: "POST", url, payload, remoteAddress })).json().code;
};

test("a whole IPv6 site has a few times the tries of one network, not one limit per network", async () => {
  for (let n = 0; n < 20; n += 1) expect(await guessFrom(`2001:db8:1:0:${n}::1`)).toBe(404);
  expect(await guessFrom("2001:db8:1:0:ffff::1")).toBe(429);
  for (let n = 1; n <= 120; n += 1) expect(await guessFrom(`2001:db8:1:${n}::1`)).toBe(404);
  expect(await guessFrom("2001:db8:1:ffff::1")).toBe(429);
  expect(await guessFrom("2001:db8:2:1::1"), "another site").toBe(404);
  server.world.clock.pass(300_000);
  expect(await guessFrom("2001:db8:1:ffff::1")).toBe(404);
});
