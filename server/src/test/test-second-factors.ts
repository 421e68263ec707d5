import { secondFactor } from "@telltale/contract/domains/people/sign-ins";
import { Secret, TOTP } from "otpauth";
import { password } from "./test-passwords.ts";
import type { Person } from "./test-people.ts";
import type { TestServer } from "./test-server.ts";

/** Validity of an app's code, milliseconds. */
export const step = 30_000;

/** An authenticator app with a displayed secret. */
const authenticator = (server: TestServer, secret: string) => {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  /** The current code of the app, or the one `steps` later. */
  return (steps = 0): string => totp.generate({ timestamp: server.world.clock.now() + steps * step });
};

/** Turns on the second factor of a user with `password`: returns the app, whose current code is used up, and the recovery codes. */
export const withSecondFactor = async (server: TestServer, person: Person) => {
  const { secret } = await server.as(person)(secondFactor.begin, { password });
  const app = authenticator(server, secret);
  const { recoveryCodes } = await server.as(person)(secondFactor.turnOn, { code: app() });
  return { app, recoveryCodes };
};
