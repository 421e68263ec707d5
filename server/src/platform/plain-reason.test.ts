import { connect } from "node:net";
import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import { plainReason } from "./log.ts";

const told = (message: string, code: string): string =>
  plainReason(Object.assign(new DatabaseError(message, message.length, "error"), { code, severity: "FATAL" }));

test("a path that the operating system names stays here", async () => {
  const fault = await new Promise((resolve) => connect("/nowhere/.s.PGSQL.5432").on("error", resolve));
  expect(plainReason(fault)).toBe("ENOENT");
});

test("who could not sign in to the database, and from where, stays here", () => {
  expect(told('no pg_hba.conf entry for host "10.1.2.3", user "telltale"', "28000")).toBe(
    "The database can't be signed in to (28000)",
  );
});

test("what PostgreSQL says of a full disk is told, and so are our own words", () => {
  expect(told("could not extend file: No space left on device", "53100")).toMatch(/No space left/);
  expect(plainReason(new Error("No answer for 3 s"))).toBe("No answer for 3 s");
  expect(plainReason("gone")).toBe("gone");
});
