import type { Config } from "./config.ts";
import type { ClosedDemonstration } from "./demonstration/closed.ts";
import { demonstrationPassword, users } from "./demonstration/plants/plants.ts";
import { command } from "./platform/installed.ts";

/** Results of a start that the greeting reports. */
export interface Started {
  httpPort: number;
  mqttPort: number;
  /** Whether the demonstration is in the database and enabled. */
  isDemonstration: boolean;
  /** The demonstration in the database, when the server runs without it. */
  closed?: ClosedDemonstration | undefined;
  /** Access token of the demonstration's test bench, which waits for readings. */
  testToken?: string | undefined;
  /** Secret of the link that creates the first owner; undefined when a user exists. */
  ownerSecret?: string | undefined;
}

const demonstrationLines = [
  "",
  `  Sign in with the password ${demonstrationPassword} as`,
  ...users.map(({ email, firstName, lastName }) => `    ${email.padEnd(28)} ${firstName} ${lastName}`),
];

const withoutLines = [
  "",
  "  This is a demonstration with a simulated plant. To start without it, with a plant of your own:",
  `    TELLTALE_DEMO=0 DATA_DIR=./my-data ${command}`,
];

const closedLines = ({ withOwnPassword }: ClosedDemonstration): string[] => [
  "",
  "  The demonstration is in this database and closed (TELLTALE_DEMO=0): its users, its devices and their tokens are refused.",
  "  Start with TELLTALE_DEMO=1 to use it, or with another DATA_DIR or DATABASE_URL to begin empty. For a plant of your own beside it:",
  `    ${command} users add --owner --email you@example.com --plant 'Your plant'`,
  ...(withOwnPassword.length > 0
    ? [`  Demonstration users who have set a password of their own can sign in: ${withOwnPassword.join(", ")}`]
    : []),
];

/** Commands that send a reading above the Higher Alarm of the test bench's pressure. */
const tryLines = ({ httpPort, mqttPort, testToken }: Started): string[] => {
  if (testToken === undefined) return [];
  const payload = `'{"AI1": 99}'`;
  return [
    "",
    "  Send a reading of a device, and watch its tile 'Test bench pressure' and the alert:",
    `    mosquitto_pub -h localhost -p ${mqttPort} -q 1 -u ${testToken} -t v1/devices/me/telemetry -m ${payload}`,
    `    curl -d ${payload} -H 'content-type: application/json' http://localhost:${httpPort}/api/v1/${testToken}/telemetry`,
  ];
};

const firstOwnerLines = (address: string, secret: string): string[] => [
  "",
  "  There is no user yet. Open this link within 24 hours to create the first owner; it works once:",
  `    ${address}/firstOwner?secret=${secret}`,
  "  or use",
  `    ${command} users add --owner --email you@example.com --plant 'Your plant'`,
];

/** The text printed when the server is ready: its addresses, who can sign in, and what to do next. */
export const greeting = (config: Config, started: Started): string => {
  const address = config.PUBLIC_URL ?? `http://localhost:${started.httpPort}`;
  return [
    "",
    `  Telltale is ready at ${address}`,
    `  Devices connect to mqtt://localhost:${started.mqttPort}`,
    ...(started.isDemonstration ? demonstrationLines : []),
    ...(started.closed ? closedLines(started.closed) : []),
    ...tryLines(started),
    ...(started.isDemonstration ? withoutLines : []),
    ...(started.ownerSecret ? firstOwnerLines(address, started.ownerSecret) : []),
    "",
    "",
  ].join("\n");
};
