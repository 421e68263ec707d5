import { allCalls } from "@telltale/contract/all-calls";
import type { Call } from "@telltale/contract/call/call";
import { CallError, type Client } from "@telltale/contract/call/client";
import { Code, Message } from "@telltale/contract/call/codes";
import { apiKeys, KeyMessage } from "@telltale/contract/domains/people/api-keys";
import { type Grant, permissions, Role } from "@telltale/contract/permissions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anOwner, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let owner: Person;

beforeAll(async () => {
  server = await startTestServer();
  owner = await anOwner(server.world);
});
afterAll(() => server.close());

const guarded = Object.entries(allCalls).flatMap(([domain, ofDomain]) =>
  Object.entries(ofDomain as Record<string, Call>).flatMap(([name, call]): [string, Call][] =>
    call.access === "public" ? [] : [[`${domain}.${name}`, call]],
  ),
);

/** The sentence with which a key must be refused; undefined when it may make the call. */
const refusalOf = ({ access }: Call, roleType: Role, isReadOnly: boolean): string | undefined => {
  if (access === "session") return KeyMessage.notByKey;
  if (access === "public" || access === "member") return undefined;
  const { roles, kind, isPersonal }: Grant = permissions[access];
  if (isPersonal) return KeyMessage.notByKey;
  if (!roles.includes(roleType)) return Message.notAllowed;
  return kind === "write" && isReadOnly ? KeyMessage.readOnlyKey : undefined;
};

describe.each([
  ["changes", 0],
  ["only reads", 1],
] as const)("an API key that %s", (_name, readOnly) => {
  const made: Partial<Record<Role, Client>> = {};
  const keyOf = async (roleType: Role): Promise<Client> => {
    const { apiKey } = await server.as(owner)(apiKeys.add, { keyName: "Reports", roleType, readOnly, days: 30 });
    return server.byKey(apiKey);
  };

  test.each(guarded)("makes the calls of its role and no others: %s", async (_call, call) => {
    for (const roleType of Object.values(Role)) {
      made[roleType] ??= await keyOf(roleType);
      const answer = await made[roleType](call, {}).catch((fault: unknown) => fault);
      const code = answer instanceof CallError ? answer.code : Code.success;
      const refusal = refusalOf(call, roleType, readOnly === 1);
      if (refusal === undefined) expect([Code.notSignedIn, Code.notAllowed, Code.internal]).not.toContain(code);
      else expect(answer).toMatchObject({ code: Code.notAllowed, message: refusal });
    }
  });
});
