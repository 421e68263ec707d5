import { secondFactor } from "@telltale/contract/domains/people/sign-ins";
import { Secret, TOTP } from "otpauth";
import { password } from "./test-passwords.ts";
import type { Person } from "./test-people.ts";
import type { TestServer } from "./test-server.ts";

/** Milliseconds until an app shows another code. */
export const step = 30_000;

/** An authenticator app with a secret as it was shown. */
const authenticator = (server: TestServer, secret: string) => {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  /** The code that the app shows now, or `steps` later. */
  return (steps = 0): string => totp.generate({ timestamp: server.world.clock.now() + steps * step });
};

/** Turns the second factor of a person with `password` on: gives the app, whose code of now is used up, and the recovery codes. */
export const withSecondFactor = async (server: TestServer, person: Person) => {
  const { secret } = await server.as(person)(secondFactor.begin, { password });
  const app = authenticator(server, secret);
  const { recoveryCodes } = await server.as(person)(secondFactor.turnOn, { code: app() });
  return { app, recoveryCodes };
};
