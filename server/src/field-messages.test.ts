import { allCalls } from "@telltale/contract/all-calls";
import type { Call } from "@telltale/contract/call/call";
import { Code } from "@telltale/contract/call/codes";
import { fieldLabel } from "@telltale/contract/text/field-words";
import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { hashPassword } from "./modules/accounts/passwords/password.ts";
import { signIn } from "./modules/accounts/sign-in/sign-in.ts";
import { anOwner, type Person } from "./test/test-people.ts";
import { startTestServer, type TestServer } from "./test/test-server.ts";

let server: TestServer;
let owner: Person;

beforeAll(async () => {
  server = await startTestServer();
  owner = await anOwner(server.world);
  const password_hash = await hashPassword("a password of its own");
  await server.world.db.updateTable("users").set({ password_hash }).where("user_id", "=", owner.userId).execute();
});
afterAll(() => server.close());

const calls: [string, Call][] = Object.entries(allCalls).flatMap(([domain, ofDomain]) =>
  Object.entries(ofDomain as Record<string, Call>).map(([name, call]): [string, Call] => [`${domain}.${name}`, call]),
);

/** Patterns of foreign error messages: zod, ajv, Fastify, JSON.parse, JavaScript, PostgreSQL. */
const validatorTexts =
  /invalid[ _]|expected|received|^required$|too (small|big|short|long)\b|unrecognized|must (have|NOT|match)|should be|unexpected (token|end)|\bJSON\b|is not (a function|defined|iterable)|cannot read|undefined|null|NaN|\[object|out of range|syntax for|violates|relation "|column "|duplicate key|byte sequence|body is not|FST_|content-type|ZodError|<=|>=|\b(string|boolean|int32|number type|record|array|object)\b/i;

/** Messages of the specification and the forms that do not name the field's label. */
const ownSentences: ReadonlySet<string> = new Set([
  "Please enter username and password",
  "Choose the channel from the list",
  "Choose when the alert is active",
  "Enter the value as a number",
  "The start-up time is a whole number of seconds, at most a day",
  "Please enter a valid email address",
  "Password must be a minimum of 8 characters",
  "Set a password of no less than 8 characters",
  "Passwords do not match",
  "Please agree with Terms of Use and Privacy Policy",
  "Enter the email address associated with your account",
  "Enter the correct email address",
  "Enter the correct alarm value",
  "Enter the number",
  "Enter the times as 22:00 and 06:30",
  "Incorrect formatting of mobile phone number",
  "Please select a channel",
  "The link is incomplete: open the complete link from the e-mail",
  "The link is incomplete: open the complete link that the server printed",
  "The link is incomplete: open the complete link from the message",
  "Send 1 if the contact may confirm alerts, 0 if not",
  "Choose a format",
  "Choose a role",
  "Send 1 for a key that only reads, 0 for one that may change",
  "A key is valid for 30, 90, 365 days, or 0: without end",
  "Enter an address such as https://hooks.example.com/alerts",
  "Send 1 to enable the webhook, 0 to disable it",
  "Enter an address such as mqtts://broker.example.com:8883, without user and password",
  "Choose JSON or Sparkplug B",
  "Send 1 to publish all devices, 0 to publish those of deviceIds",
  "Send 1 to publish values, 0 if not",
  "Send 1 to publish alerts, 0 if not",
  "Send 1 to enable the bridge, 0 to disable it",
  "Send 1 if alerts may be confirmed by its messages, 0 if not",
  "Choose Email or Phone",
  "The browser's subscription is incomplete: switch its pushes off and on again",
  "Choose whether you want alerts",
  "Choose ON or OFF",
  "Choose what triggers it",
  "Choose a page or an action",
  "Choose a support tab",
  "Choose a motor controller",
  "Choose motor controllers from the list",
  "Choose groups from the list",
  "Choose an industry from the list",
  "Choose channels from the list",
  "Choose alerts from the list",
  "Choose recipients from the list",
  "Choose a package",
  "List the dashboard's tiles",
  "Choose whether it is the default",
  "Choose whether it is enabled",
  "Send 1 to disable the device, 0 to enable it",
  "Send 1 to enable the alert, 0 to disable it",
  "What to do has at most 500 characters",
  "An alert is tried on 1 to 30 days",
  "Choose who takes the shift",
  "Choose a time of 15 minutes to 90 days",
  "Choose a shelf, out of service or a window",
  "Choose devices from the list",
  "Enter the day as 2026-01-31",
  "Choose a day of the week",
  "Choose a day of the month",
  "Choose how often it repeats",
  "Enter when it begins as 08:00",
  "Enter when it ends as 18:00",
  "It ends at most 3 days later",
  "Send 1 to end the occurrence of now only",
  "A delay is a whole number of seconds, at most a day",
  "Enter how often as a number from 1 to 20",
  "The time is 60 seconds to 7 days",
  "A channel is on (1) or off (0)",
  "This payment has not been approved",
  "There is no such picture",
]);

const gone = 2 ** 31 - 1;
/** Every required field accepts one of these; ids refer to nothing. */
const candidates = [
  String(gone),
  gone,
  "1",
  1,
  "2",
  "owner@example.test",
  "Reading room 7",
  "2026-01-31",
  "123456",
  "000000",
  true,
  "Energy",
  "MPA2-240-32",
  "x z",
  "/devices",
  "abcdefghijklmnopqrstuvwxyz",
  [gone],
  "{}",
  {},
];
const validFor = (field: z.ZodType): unknown =>
  candidates.find((candidate) => z.safeDecode(field, candidate as never).success);

type Input = Record<string, unknown>;
const isOptional = (field: z.ZodType): boolean => z.safeDecode(field, undefined as never).success;
const shapeOf = (part: Call["body"]): [string, z.ZodType][] => Object.entries(part?.shape ?? {}) as never;

/** A valid value for every required field, as text or JSON. */
const validInput = (part: Call["body"]): Input =>
  Object.fromEntries(shapeOf(part).flatMap(([name, field]) => (isOptional(field) ? [] : [[name, validFor(field)]])));

const long = "a".repeat(3000);
const wrongTexts = ["", " ", "text", "1.5", "-1", "0", "2147483648", "9".repeat(400), long, "a\u0007b", "a\u0000b"];
const wrongJson = [...wrongTexts, null, true, 0, 1.5, -1, 1e12, [], [1], ["a"], [{}], {}, { a: 1 }, [[1]]];

interface Try {
  query: Input;
  body?: Input;
  payload?: unknown;
  asJson?: boolean;
}

const without = (input: Input, name: string): Input =>
  Object.fromEntries(Object.entries(input).filter(([key]) => key !== name));

/** The call with one invalid field, in every possible way. */
const triesOf = (call: Call): Try[] => {
  const query = validInput(call.query);
  const body = validInput(call.body);
  const isForm = call.encoding === "form";
  const inQuery = shapeOf(call.query).flatMap(([name]) => [
    without(query, name),
    ...wrongTexts.map((wrong) => ({ ...query, [name]: wrong })),
    { ...query, [name]: ["1", "1"] },
    { ...query, [name]: ["a", ""] },
    { ...query, [name]: Array(1001).fill("1") },
  ]);
  const inBody = shapeOf(call.body).flatMap(([name]) => [
    { body: without(body, name) },
    ...(isForm ? wrongTexts.map((wrong) => ({ body: { ...body, [name]: wrong } })) : []),
    ...(isForm ? [{ body: { ...body, [name]: ["1", "1"] } }] : []),
    ...wrongJson.map((wrong) => ({ body: { ...body, [name]: wrong }, asJson: true })),
  ]);
  const wholes = call.payload ? [...wrongJson, ...payloadsOf(call.payload)] : [];
  return [
    ...inQuery.map((wrong) => ({ query: wrong, body })),
    ...inBody.map((wrong) => ({ query, ...wrong })),
    ...wholes.map((payload) => ({ query, payload })),
  ];
};

/** Lists with one item that has one invalid field. */
const payloadsOf = (payload: z.ZodType): unknown[] => {
  const item = (payload as z.ZodArray<z.ZodObject>).element;
  const valid = validInput(item);
  return Object.keys(item.shape).flatMap((name) => [
    [without(valid, name)],
    ...wrongJson.map((wrong) => [{ ...valid, [name]: wrong }]),
    ...wrongJson.map((wrong) => [{ ...valid, [name]: { "Lower Alarm": wrong } }]),
  ]);
};

const asParameters = (fields: Input): string => {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(fields))
    for (const item of [value].flat()) parameters.append(key, String(item));
  return parameters.toString();
};

const requestOf = (call: Call, { query, body, payload, asJson }: Try): InjectOptions => {
  const url = `${call.path}?${asParameters({ ...query, token: owner.token })}`;
  if (call.method === "GET") return { method: "GET", url };
  const isJson = asJson || call.encoding === "json";
  const type = isJson ? "application/json" : "application/x-www-form-urlencoded";
  const text = isJson ? JSON.stringify(payload ?? body) : asParameters(body ?? {});
  return { method: "POST", url, headers: { "content-type": type }, payload: text };
};

/** Signs in again for each call, as some end their session. */
const signInAgain = async (): Promise<void> => {
  const visitor = { address: "192.0.2.1", userAgent: "test" };
  const { userId, accountId } = owner;
  owner = { ...owner, ...(await signIn(server.world.db, server.world.clock.date(), visitor, { userId, accountId })) };
};

const answerTo = async (call: Call, given: Try): Promise<{ code: number; msg: string } | undefined> => {
  const answer = await server.app.inject(requestOf(call, given));
  if (!String(answer.headers["content-type"]).includes("json")) return undefined;
  if (answer.json().code === Code.notSignedIn && call.access !== "public") {
    await signInAgain();
    return (await server.app.inject(requestOf(call, given))).json();
  }
  return answer.json();
};

/** The first field that the declaration rejects; undefined when it accepts all. Forms hold texts, also when sent as JSON. */
const refusedField = (call: Call, { query, body, payload }: Try): string | undefined => {
  const texts = (fields: Input): Input =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, value]) =>
        value === null ? [] : [[name, typeof value === "object" ? value : String(value)]],
      ),
    );
  const input: [z.ZodType | undefined, unknown][] = [
    [call.query, texts(query)],
    [call.body, call.encoding === "json" ? body : texts(body ?? {})],
    [call.payload, payload],
  ];
  for (const [schema, value] of input) {
    const { error } = schema && value !== undefined ? z.safeDecode(schema, value as never) : {};
    const name = error?.issues[0]?.path.findLast((part) => typeof part === "string");
    if (error) return name === undefined ? "" : String(name);
  }
  return undefined;
};

/** Whether a message claims that a given value is missing. */
const isDenied = (msg: string, field: string, { query, body }: Try): boolean => {
  const value = { ...query, ...body }[field];
  return /\b(blank|missing)\b/.test(msg) && typeof value === "string" && value.trim() !== "";
};

const isNamed = (msg: string, field: string): boolean =>
  ownSentences.has(msg) || msg.toLowerCase().includes(fieldLabel(field).toLowerCase());

test.each([
  "Invalid input: expected string, received undefined",
  "Required",
  "Too small: expected string to have >=1 characters",
  'Unrecognized key: "a"',
  "body must have required property 'email'",
  "Unexpected token < in JSON at position 0",
  'invalid input syntax for type integer: "a"',
  'null value in column "name" violates not-null constraint',
  "FST_ERR_CTP_INVALID_MEDIA_TYPE",
])("validators' own words are known here: %s", (msg) => expect(msg).toMatch(validatorTexts));

const testedCalls = calls.filter(
  ([, { query, body, payload, encoding }]) => (query ?? body ?? payload) && encoding !== "multipart",
);

describe("a field that is missing, of another type, blank, too long or too large is answered in words of ours that name it", () => {
  test.each(testedCalls)("%s", async (_name, call) => {
    const faults: string[] = [];
    for (const given of triesOf(call)) {
      const answer = await answerTo(call, given);
      // No unit part has no message: the request is right.
      if (!answer || answer.code === Code.success || answer.code === Code.noUnitPart) continue;
      const { code, msg } = answer;
      const field = refusedField(call, given);
      const isWrong =
        code === Code.internal ||
        validatorTexts.test(msg) ||
        !/^[A-Z0-9]/.test(msg) ||
        (code === Code.invalid &&
          field &&
          !/can't be stored|nested/.test(msg) &&
          (!isNamed(msg, field) || isDenied(msg, field, given)));
      if (isWrong) faults.push(`${code} ${field ?? ""}: ${msg.slice(0, 200)}`);
    }
    expect([...new Set(faults)]).toEqual([]);
  });
});
