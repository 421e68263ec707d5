import type { AlertReport } from "@telltale/contract/domains/alerting/report";
import { reportFigures } from "@telltale/contract/domains/alerting/report-figures";
import { Role } from "@telltale/contract/permissions";
import { monthOn, monthText, monthTitle } from "@telltale/contract/text/months";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import { addressesOf } from "../../access/index.ts";
import { type Letter, queueMail } from "../../notify/index.ts";
import { quoted } from "../../notify/letters/quoted.rules.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { createPeriodicJob, type PeriodicJob } from "../../platform/jobs/periodic.ts";
import type { World } from "../../world.ts";
import { createReports, type ReadReport } from "./report.ts";
import { reportPdf } from "./report-pdf.ts";

type Needs = Pick<World, "db" | "clock" | "log" | "metrics" | "node" | "publicUrl">;

const hour = 3_600_000;

/** Time after a month's end until its report is sent, milliseconds: what was raised in its last hours may become stale, and readings arrive late. */
const settling = 30 * hour;

/** Plants after `afterId` whose report of this month, or an earlier one, was not sent yet, by id. */
const plantsDue = (db: Database, month: number, afterId: number) =>
  db
    .selectFrom("plants")
    .leftJoin("alert_reports as sent", "sent.plant_id", "plants.plant_id")
    .where("plants.plant_id", ">", afterId)
    .where(({ eb, or }) => or([eb("sent.month", "is", null), eb("sent.month", "<", month)]))
    .orderBy("plants.plant_id")
    .limit(500)
    .select(["plants.plant_id", "plants.time_zone_id", "plants.created_time", "sent.month"])
    .execute();

type DuePlant = Awaited<ReturnType<typeof plantsDue>>[number];

/** Marks the month's report as sent; false when it was already. Call in the transaction that queues the mails. */
const markSent = async (db: Database, plantId: number, month: number, now: Date): Promise<boolean> => {
  const marked = await db
    .insertInto("alert_reports")
    .values({ plant_id: plantId, month, sent_time: now })
    .onConflict((conflict) =>
      conflict.column("plant_id").doUpdateSet({ month, sent_time: now }).where("alert_reports.month", "<", month),
    )
    .returning("plant_id")
    .executeTakeFirst();
  return marked !== undefined;
};

/** The letter with the month's figures, and the PDF. */
const reportLetter = (report: AlertReport, month: number, pdf: Buffer, publicUrl: string): Letter => ({
  subject: `Alert report of ${monthTitle(month)}: ${report.plantName}`,
  paragraphs: [
    `How the alarms of ${quoted(report.plantName)} did in ${monthTitle(month)}, each figure with its target. The PDF and the page list the alerts that came most often.`,
  ],
  facts: reportFigures(report).map(({ label, value, unit, target, outcome }) => [
    label,
    [[value, unit].filter(Boolean).join(" "), outcome === "met" ? `met (${target})` : target]
      .filter(Boolean)
      .join(", "),
  ]),
  action: { label: "Open the report", url: `${publicUrl}/alarms/report?month=${monthText(month)}` },
  footnotes: ["You receive this once a month because you are an owner, admin or device manager of this plant."],
  attachment: {
    name: `alert-report-${monthText(month)}.pdf`,
    type: "application/pdf",
    base64: pdf.toString("base64"),
  },
});

/** Sends a plant's report of the newest month that is over for long enough; a month without alerts is passed over. */
const sendReport = async ({ db, clock, publicUrl }: Needs, read: ReadReport, plant: DuePlant): Promise<void> => {
  const { plant_id: plantId, time_zone_id, created_time } = plant;
  const zone = zoneOf(time_zone_id);
  const month = monthOn(zone, clock.now() - settling) - 1;
  if (plant.month !== null && plant.month >= month) return;
  const report = month < monthOn(zone, created_time.getTime()) ? undefined : await read(plantId, monthText(month));
  const letter =
    report && report.total > 0 ? reportLetter(report, month, await reportPdf(plantId, report), publicUrl) : undefined;
  await db.transaction().execute(async (trx) => {
    const now = clock.date();
    if (!(await markSent(trx, plantId, month, now)) || !letter) return;
    for (const recipient of await addressesOf(trx, plantId, [Role.owner, Role.admin, Role.deviceManager]))
      await queueMail(trx, { recipient, letter, now, plantId });
  });
};

/** The time zone furthest ahead: a month that has not ended there has ended nowhere. */
const firstClock = zoneOf("Pacific/Kiritimati");

/** Creates the job that mails each plant's report of the month before to its owners, admins and device managers, once. */
export const createAlertReportsJob = (world: Needs): PeriodicJob => {
  const { db, clock, log } = world;
  const read = createReports(world);
  const work = async (isStopping: () => boolean): Promise<void> => {
    const month = monthOn(firstClock, clock.now() - settling) - 1;
    for (let after = 0; ; ) {
      const plants = await plantsDue(db, month, after);
      for (const plant of plants) {
        if (isStopping()) return;
        after = plant.plant_id;
        await sendReport(world, read, plant).catch((fault: unknown) =>
          log.error({ err: fault, plantId: after }, "Could not send a plant's alert report; trying again in an hour"),
        );
      }
      if (plants.length === 0) return;
    }
  };
  return createPeriodicJob({
    name: "alert reports",
    every: hour,
    work,
    failureMessage: "Could not send alert reports; trying again in an hour",
    world,
  });
};
