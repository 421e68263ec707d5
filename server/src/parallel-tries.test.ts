import type { Call } from "@telltale/contract/call/call";
import { Code } from "@telltale/contract/call/codes";
import { devices } from "@telltale/contract/domains/devices";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { contacts } from "@telltale/contract/domains/people/contacts";
import { profile } from "@telltale/contract/domains/people/profile";
import { passwords, registration } from "@telltale/contract/domains/people/registration";
import { secondFactor } from "@telltale/contract/domains/people/sign-ins";
import { users } from "@telltale/contract/domains/people/users";
import { ContactType } from "@telltale/contract/notification-channels";
import { Role } from "@telltale/contract/permissions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { linkTo } from "./test/test-mail.ts";
import { password, withPassword } from "./test/test-passwords.ts";
import { anOwner, type Person } from "./test/test-people.ts";
import { withSecondFactor } from "./test/test-second-factors.ts";
import { startTestServer, type TestServer } from "./test/test-server.ts";

/** The server to prepare with, and all servers that get the tries: one alone, or two nodes on one database. */
let server: TestServer;
let servers: TestServer[];
let count = 0;

interface Try {
  call: Call;
  input: Record<string, unknown>;
  /** Client address; absent: a new network. */
  address?: string;
  person?: Pick<Person, "token">;
}

/** A different site each time, so that no limit by address applies. */
const elsewhere = (): string => {
  count += 1;
  return `2001:db8:${count.toString(16)}::1`;
};

interface Answer {
  code: number;
  msg: string;
}

let asked = 0;

const answerTo = async ({ call, input, address = elsewhere(), person }: Try): Promise<Answer> => {
  const token: Record<string, string> = person ? { token: person.token } : {};
  const isPost = call.method === "POST";
  const given = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
  const query = new URLSearchParams(isPost ? token : { ...given, ...token }).toString();
  asked += 1;
  const { app } = servers[asked % servers.length] ?? server;
  const answer = await app.inject({
    method: call.method,
    url: `${call.path}?${query}`,
    remoteAddress: address,
    ...(isPost ? { payload: input } : {}),
  });
  return answer.json<Answer>();
};

const owner = () => anOwner(server.world);
const ownerWithPassword = async () => withPassword(server.world, await owner());
const anAddress = (): string => `someone.${++count}@example.test`;
const registered = (email: string) => ({ email, password, confirmPassword: password, terms: "1" });
const invited = (email: string) => ({ email, firstName: "New", lastName: "Member", cellNumber: "", type: Role.viewer });
const contactOf = (type: ContactType, contactInfo: string) => ({ type, firstName: "Nora", lastName: "Q", contactInfo });
const aPhone = (): string => `4915112${String(++count).padStart(6, "0")}`;

/** What is limited, how many tries are allowed, and a factory of tries. */
const limits: [what: string, most: number, tries: () => Promise<(n: number) => Try>][] = [
  [
    "wrong passwords for an e-mail from one place",
    10,
    async () => {
      const { email } = await ownerWithPassword();
      const address = elsewhere();
      return () => ({ call: accounts.login, input: { email, password: "wrong horse" }, address });
    },
  ],
  [
    "wrong passwords from one address",
    50,
    async () => {
      const address = elsewhere();
      return () => ({ call: accounts.login, input: { email: anAddress(), password: "wrong horse" }, address });
    },
  ],
  [
    "wrong codes at sign-in, wherever they come from",
    20,
    async () => {
      const person = await ownerWithPassword();
      await withSecondFactor(server, person);
      return () => ({ call: accounts.login, input: { email: person.email, password, code: "ABCDE-FGHIJ" } });
    },
  ],
  [
    "wrong codes of who is signed in",
    10,
    async () => {
      const person = await ownerWithPassword();
      await server.as(person)(secondFactor.begin, { password });
      return () => ({ call: secondFactor.turnOn, input: { code: "000000" }, person });
    },
  ],
  [
    "wrong passwords of who is signed in",
    10,
    async () => {
      const person = await ownerWithPassword();
      return () => ({ call: secondFactor.begin, input: { password: "wrong horse" }, person });
    },
  ],
  [
    "wrong passwords for a profile",
    10,
    async () => {
      const person = await ownerWithPassword();
      const change = { originalPwd: "wrong horse", newPwd: "another horse 7", confirmPwd: "another horse 7" };
      return () => ({ call: profile.update, input: change, person });
    },
  ],
  [
    "wrong passwords at an invitation",
    10,
    async () => {
      const { email } = await ownerWithPassword();
      await server.as(await owner())(users.add, invited(email));
      const { accessToken } = await linkTo(server.world, email);
      const wrong = { email, accessToken, password: "wrong horse", confirmPassword: "wrong horse", terms: "1" };
      return () => ({ call: registration.join, input: wrong });
    },
  ],
  [
    "links for the first owner from one address",
    20,
    async () => {
      const address = elsewhere();
      const request = {
        secret: "x".repeat(43),
        email: anAddress(),
        password,
        confirmPassword: password,
        plantName: "P",
      };
      return () => ({ call: accounts.createFirstOwner, input: { ...request, timeZoneId: "UTC" }, address });
    },
  ],
  [
    "mails to one address",
    5,
    async () => {
      const { email } = await ownerWithPassword();
      return () => ({ call: passwords.askReset, input: { email } });
    },
  ],
  [
    "mails asked for from one address",
    30,
    async () => {
      const address = elsewhere();
      return () => ({ call: registration.resend, input: { email: anAddress() }, address });
    },
  ],
  [
    "guessed device IDs at a registration from one address",
    20,
    async () => {
      const address = elsewhere();
      const guess = () => ({ ...registered(anAddress()), telltaleId: `GUESS${++count}` });
      return () => ({ call: registration.register, input: guess(), address });
    },
  ],
  [
    "guessed device IDs looked up",
    20,
    async () => {
      const person = await owner();
      return () => ({ call: devices.lookUp, input: { deviceSnId: `GUESS${++count}` }, person });
    },
  ],
  [
    "guessed device IDs added",
    20,
    async () => {
      const person = await owner();
      return () => ({ call: devices.add, input: { deviceSnId: `GUESS${++count}`, deviceName: "Mine" }, person });
    },
  ],
  [
    "guessed device IDs an account is opened for",
    20,
    async () => {
      const person = await owner();
      return () => ({ call: accounts.openAccount, input: { type: 1, deviceSnId: `GUESS${++count}` }, person });
    },
  ],
  [
    "invitations to one address",
    5,
    async () => {
      const person = await owner();
      const { accountId } = await server.as(person)(users.add, invited(anAddress()));
      server.world.clock.pass(600_000);
      return () => ({ call: users.invite, input: { accountId }, person });
    },
  ],
  [
    "invitations of a plant in its first week",
    10,
    async () => {
      const person = await owner();
      return () => ({ call: users.add, input: invited(anAddress()), person });
    },
  ],
  [
    "codes of a phone",
    5,
    async () => {
      const person = await owner();
      const request = contactOf(ContactType.phone, aPhone());
      const { notifyUserId } = await server.as(person)(contacts.add, request);
      return () => ({ call: contacts.verify, input: { notifyUserId, code: "000000" }, person });
    },
  ],
  [
    "requests to one phone by many plants",
    3,
    async () => {
      const contactInfo = aPhone();
      const people = await Promise.all(Array.from({ length: 12 }, owner));
      return (n) => ({
        call: contacts.add,
        input: contactOf(ContactType.phone, contactInfo),
        person: people[n] as Person,
      });
    },
  ],
  [
    "requests of one plant",
    60,
    async () => {
      const person = await owner();
      return () => ({ call: contacts.add, input: contactOf(ContactType.phone, aPhone()), person });
    },
  ],
];

const alone = async (): Promise<TestServer[]> => [await startTestServer()];
const twoNodes = async (): Promise<TestServer[]> => {
  const first = await startTestServer({}, { sharing: "shared" });
  const { url, clock } = first.world;
  const database = { url, drop: async () => undefined };
  return [first, await startTestServer({}, { sharing: "shared", database, clock })];
};

describe.each([
  ["one server", alone],
  ["two nodes", twoNodes],
])("by %s", (_servers, start) => {
  beforeAll(async () => {
    servers = await start();
    [server] = servers as [TestServer];
  });
  afterAll(async () => {
    for (const each of servers.toReversed()) await each.close();
  });

  test.each(limits)("of %s at the same time no more than %i are checked", async (_what, most, prepare) => {
    const next = await prepare();
    const answers: Answer[] = [];
    const send = async (tries: number): Promise<void> => {
      const begun = answers.length;
      const wave = Array.from({ length: tries }, (_, n) => answerTo(next(begun + n)));
      answers.push(...(await Promise.all(wave)));
    };
    // A dozen concurrent tries where three are left. Earlier ones come in waves that the pool's connections suffice for.
    while (answers.length < most - 3) await send(Math.min(10, most - 3 - answers.length));
    await send(12);
    expect(answers.map(({ code }) => code)).not.toContain(Code.internal);
    // A code that was tried too often is refused permanently, with what to do.
    const isRefused = ({ code, msg }: Answer) => code === Code.tooManyTries || msg.includes("no longer valid");
    expect(answers.filter((answer) => !isRefused(answer))).toHaveLength(most);
  });
});
