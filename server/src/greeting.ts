import type { Config } from "./config.ts";
import { demonstrationPassword, users } from "./demonstration/plants.ts";

/** What a start has come to. */
export interface Started {
  httpPort: number;
  mqttPort: number;
  /** The demonstration's plant is in the database. */
  isDemonstration: boolean;
  /** Nobody can sign in yet. */
  hasNoUsers: boolean;
}

const demonstrationLines = [
  "",
  `  Sign in with the password ${demonstrationPassword} as`,
  ...users.map(({ email, firstName, lastName }) => `    ${email.padEnd(28)} ${firstName} ${lastName}`),
  "",
  "  This is a demonstration with a simulated plant. To start without it, with a plant of your own:",
  "    TELLTALE_DEMO=0 DATA_DIR=./my-data npm start",
];

const firstOwnerLines = [
  "",
  "  Nobody can sign in yet. Make the first owner with",
  "    npm run telltale -- users add --owner --email you@example.com --plant 'Your plant'",
];

/** What is printed when the server is ready: where it is, who may sign in, and how to go on. */
export const greeting = (config: Config, started: Started): string => {
  const address = config.PUBLIC_URL ?? `http://localhost:${started.httpPort}`;
  return [
    "",
    `  Telltale is ready at ${address}`,
    `  Devices connect to mqtt://localhost:${started.mqttPort}`,
    ...(started.isDemonstration ? demonstrationLines : []),
    ...(started.hasNoUsers ? firstOwnerLines : []),
    "",
    "",
  ].join("\n");
};
