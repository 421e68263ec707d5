import { connect } from "node:net";
import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import { plainReason } from "./log.ts";

const received = (message: string, code: string): string =>
  plainReason(Object.assign(new DatabaseError(message, message.length, "error"), { code, severity: "FATAL" }));

test("a path in an operating system's error is not published", async () => {
  const fault = await new Promise((resolve) => connect("/nowhere/.s.PGSQL.5432").on("error", resolve));
  expect(plainReason(fault)).toBe("ENOENT");
});

test("user and address of a failed database login are not published", () => {
  expect(received('no pg_hba.conf entry for host "10.1.2.3", user "telltale"', "28000")).toBe(
    "The database refuses the login (28000)",
  );
});

test("PostgreSQL's message about a full disk is published, and so are our own messages", () => {
  expect(received("could not extend file: No space left on device", "53100")).toMatch(/No space left/);
  expect(plainReason(new Error("No answer for 3 s"))).toBe("No answer for 3 s");
  expect(plainReason("gone")).toBe("gone");
});
