import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@telltale/contract/call/client";
import { type MailServer, startMailServer } from "../../e2e/mail-server.ts";
import { type RunningServer, startServer } from "../../e2e/server-process.ts";
import { type AlarmedUnit, startAlarmedUnit } from "../alarms/alarmed-unit.ts";
import { startConfirming } from "../alarms/confirming.ts";
import { entryFindings } from "../alarms/entry-findings.ts";
import { mailFindings, untilDelivered } from "../alarms/mail-findings.ts";
import { messageFindings, untimedMessageFindings } from "../alarms/message-findings.ts";
import { untilClaimed, untilDue, untilNothingDue, untilStepDue } from "../alarms/moments.ts";
import { readRecorded } from "../alarms/recorded.ts";
import { createServiceTimes, type ServiceTimes } from "../alarms/service-times.ts";
import { createServerClock } from "../crowd/server-clock.ts";
import { inDatabase } from "../database.ts";
import { type Finding, type Scenario, scaled } from "../finding.ts";
import { createOwner } from "../fleet.ts";
import { replacePostmaster, signalPostgres } from "../postgres-process.ts";
import { createRandom, seedOfRun } from "../random.ts";
import { untilReadiness } from "../readiness.ts";

const devices = 8;

interface Trial {
  server: RunningServer;
  client: Client;
  mail: MailServer;
  units: readonly AlarmedUnit[];
  service: ServiceTimes;
}

/** After a start, timers wait a minute until kept readings had time to arrive; after that they look each second. Milliseconds. */
const untilTimers = 60_000;
const afterTimers = untilTimers + 15_000;

const killServer = ({ server, service }: Trial, downFor = 0): Promise<void> =>
  service.interrupt(async () => {
    await server.kill9();
    await sleep(downFor);
    await server.restart();
  });

const someTime = (most: number): Promise<void> => sleep(Math.random() * most);

/** The moments at which the server is killed: while alarms wait for their delays, just when one has ended, and between a step's claim and its sending. */
const moments: readonly ((trial: Trial) => Promise<unknown>)[] = [
  ({ units }) => untilDue(units, Math.random() * 1_500),
  ({ units }) => untilDue(units, -Math.random() * 600),
  ({ server }) => untilClaimed(server),
];

const killAtMoments = async (trial: Trial, times: number): Promise<void> => {
  for (let turn = 0; turn < times; turn += 1) {
    await someTime(4_000);
    await moments[turn % moments.length]?.(trial);
    await killServer(trial);
    process.stderr.write(`  ${turn + 1} of ${times} kills\n`);
  }
};

/** Kills after an alarm's delay has ended and before the timer that would find it, which waits after each start; and while the timers look at last. */
const killBeforeTimers = async (trial: Trial, times: number): Promise<void> => {
  for (let turn = 0; turn < times; turn += 1) {
    await untilDue(trial.units, -Math.random() * 1_000);
    await killServer(trial);
    await sleep(untilTimers - 1_000);
    await someTime(3_000);
    await killServer(trial);
    process.stderr.write(`  ${turn + 1} of ${times} kills before timers\n`);
  }
  await sleep(afterTimers);
};

/** How long PostgreSQL is suspended, milliseconds: for a moment, and longer than a statement may take. */
const suspensions = [12_000, 40_000];

const isReadyAgain = ({ server }: Trial) => untilReadiness(server.baseURL, ({ isReady }) => isReady);

const suspendPostgres = (trial: Trial, lasts: number): Promise<void> =>
  trial.service.interrupt(async () => {
    await signalPostgres(trial.server.dataDir, "SIGSTOP");
    await sleep(lasts);
    await signalPostgres(trial.server.dataDir, "SIGCONT");
    await isReadyAgain(trial);
  });

/** PostgreSQL is killed as a step is due, and suspended as a step is due and while alarms wait for their delays. */
const disturbDatabase = async (trial: Trial, times: number): Promise<void> => {
  const { server, service, units } = trial;
  for (let turn = 0; turn < times; turn += 1) {
    const lasts = suspensions[turn % suspensions.length] ?? 0;
    await untilDue(units, 2_000);
    await suspendPostgres(trial, lasts);
    await untilStepDue(server);
    await service.interrupt(async () => {
      await replacePostmaster(server.dataDir, "SIGKILL");
      await isReadyAgain(trial);
    });
    await untilStepDue(server);
    await suspendPostgres(trial, lasts);
    process.stderr.write(`  ${turn + 1} of ${times} times three faults of PostgreSQL\n`);
  }
};

/** Longer than the steps of a plan take, milliseconds. */
const longStop = 130_000;

/** Alerts are raised everywhere, and the server is away while two further steps fall due: only the last one is sent. */
const stopForLong = async (trial: Trial): Promise<Finding> => {
  const { server, units } = trial;
  for (const { device } of units) device.hold(true);
  await sleep(10_000);
  const standing = await inDatabase(server.dataDir, async (database) => {
    const { rows } = await database.query<{ id: number; channelId: number }>(
      'SELECT alert_id AS id, channel_id AS "channelId" FROM alerts JOIN escalations USING (alert_id) WHERE alarm_class = 1 AND cleared_time IS NULL AND accept_time IS NULL AND position = 1',
    );
    return rows;
  });
  await killServer(trial, longStop);
  await untilNothingDue(server);
  const { messages } = await inDatabase(server.dataDir, readRecorded);
  for (const { device } of units) device.vary();
  const sums = { standing: 0, second: 0, third: 0 };
  for (const { told, watched } of units)
    for (const { id } of standing.filter(({ channelId }) => watched.has(channelId))) {
      const sentTo = (email: string | undefined) =>
        messages.filter(({ alertId, round, recipient }) => alertId === id && round === 0 && recipient === email).length;
      sums.standing += 1;
      sums.second += sentTo(told.steps[1]?.email);
      sums.third += sentTo(told.steps[2]?.email);
    }
  return {
    promise: "After a stop in which several steps fell due, only the highest one is sent",
    counted: `${sums.standing} entries: ${sums.second} messages of the step before, ${sums.third} of the highest`,
    isKept: sums.standing > 0 && sums.second === 0 && sums.third === sums.standing,
  };
};

/** Lets everything end: values return, what was measured is acknowledged, timers look, mails are sent. */
const end = async ({ server, units }: Pick<Trial, "server" | "units">): Promise<void> => {
  for (const { device } of units) device.hold(false);
  await Promise.all(units.map(({ device }) => device.upToDate()));
  await sleep(afterTimers);
  await inDatabase(server.dataDir, untilDelivered);
  await Promise.all(units.map(({ device }) => device.finish()));
};

const startUnits = async (
  needs: { server: RunningServer; client: Client; mail: MailServer },
  count: number,
  seed: number,
): Promise<AlarmedUnit[]> => {
  const units: AlarmedUnit[] = [];
  for (let n = 1; n <= count; n += 1) units.push(await startAlarmedUnit(needs, n, createRandom(seed, n)));
  return units;
};

/** Kills of the server and faults of its database. */
const withFaults = async (scale: number, seed: number): Promise<Finding[]> => {
  const mail = await startMailServer();
  const server = await startServer({ demo: false, env: { MAIL_URL: mail.url } });
  try {
    const client = await createOwner(server);
    const units = await startUnits({ server, client, mail }, scaled(devices, scale), seed);
    const trial: Trial = { server, client, mail, units, service: createServiceTimes() };
    const confirming = startConfirming(server, client);
    await killAtMoments(trial, scaled(16, scale));
    await killBeforeTimers(trial, 1);
    await disturbDatabase(trial, scaled(2, scale));
    await confirming.stop();
    const stopped = await stopForLong(trial);
    await end(trial);
    const recorded = await inDatabase(server.dataDir, readRecorded);
    const timed = { service: trial.service, confirmed: confirming.confirmed, now: Date.now() };
    return [
      ...entryFindings(units, recorded.entries),
      ...messageFindings(units, recorded, timed),
      stopped,
      ...(await mailFindings(units, recorded.messages, mail)),
    ];
  } finally {
    await server.stop();
    await mail.stop();
  }
};

const hour = 3_600_000;
/** How far the server's clock is ahead, in turn, milliseconds. */
const settings = [hour, 0, -hour, 0];

/** The server's clock is set; the devices' clocks are right. */
const withSetClock = async (scale: number, seed: number): Promise<Finding[]> => {
  const clock = await createServerClock();
  const mail = await startMailServer();
  const server = await startServer({ demo: false, env: { MAIL_URL: mail.url, ...clock.env } });
  try {
    const client = await createOwner(server);
    const units = await startUnits({ server, client, mail }, scaled(devices, scale), seed + 1);
    for (const setting of settings) {
      await clock.set(setting);
      await sleep(afterTimers);
      process.stderr.write(`  the server's clock was ${setting / 60_000} minutes ahead\n`);
    }
    await end({ server, units });
    const recorded = await inDatabase(server.dataDir, readRecorded);
    const findings = [
      ...entryFindings(units, recorded.entries),
      ...untimedMessageFindings(units, recorded),
      ...(await mailFindings(units, recorded.messages, mail)),
    ];
    return findings.map((finding) => ({ ...finding, promise: `The server's clock is set: ${finding.promise}` }));
  } finally {
    await server.stop();
    await mail.stop();
    await clock.remove();
  }
};

const run = async (scale: number): Promise<Finding[]> => {
  const seed = seedOfRun();
  const parts = await Promise.all([withFaults(scale, seed), withSetClock(scale, seed)]);
  return parts.flat();
};

export const alarmsScenario: Scenario = {
  title: "Alarms with delays, and escalation",
  does: `${devices} devices over MQTT, each with three alarms: one whose delays mostly end with a reading, one whose channel sends changes only, so that the server's timer finds the end, and one that three occurrences raise; values go beyond the limit for less than the delay, for seconds and for minutes. What a device measures while the server is away follows later. Each device has a plan of three steps, at once, after one minute and after two, for a person each besides the rule's own recipient; a third of the entries is confirmed. The server is killed (kill -9) 16 times: while delays run, just after one has ended, and between a step's claim and its mail; then twice between an alarm's due time and the timer that finds it, and as the timer finds it. PostgreSQL is killed, and suspended for 12 s and 40 s, when a step is due, and suspended as long while delays run. The server is killed and stays away for ${longStop / 1000} s while two steps fall due. At the end summaries are brought forward. On a second server, beside it, the clock is set an hour forward, back, an hour back and right again (libfaketime). Entries are compared with a model of their own, mails with what a mail server has received.`,
  run,
};
