import { type FirmwareFacts, FirmwareState } from "@telltale/contract/device-api";
import { UpdateStep } from "@telltale/contract/domains/firmware";
import { isSameVersion } from "./version.rules.ts";

/** An open update, with the fields needed to evaluate a report. */
export interface UpdateInProgress {
  version: string;
  sha256: string;
}

/** Result of a report for an update. */
export type Verdict =
  | { kind: "nothing" }
  | { kind: "step"; step: UpdateStep }
  | { kind: "installed" }
  | { kind: "failed"; failure: string };

const steps: Readonly<Record<string, UpdateStep>> = {
  [FirmwareState.downloading]: UpdateStep.downloading,
  [FirmwareState.downloaded]: UpdateStep.downloaded,
  [FirmwareState.verified]: UpdateStep.verified,
  [FirmwareState.updating]: UpdateStep.restarting,
};

const start = (digest: string): string => digest.slice(0, 12).toLowerCase();

const digestFailure = ({ sha256 }: UpdateInProgress, { fw_checksum: computed }: FirmwareFacts): string | undefined =>
  computed === undefined || computed.toLowerCase() === sha256
    ? undefined
    : `What arrived at the device is not the image: its SHA-256 begins ${start(computed)} and not ${start(sha256)}`;

/**
 * Evaluates a device's report during an update. A wrong digest ends the update, whatever else is reported; it is installed when the device runs the
 * version, not when it merely claims so.
 */
export const evaluateReport = (update: UpdateInProgress, report: FirmwareFacts): Verdict => {
  const { fw_state: state, fw_error: error, current_fw_version: current } = report;
  const failure = digestFailure(update, report);
  if (failure) return { kind: "failed", failure };
  if (state === FirmwareState.failed)
    return { kind: "failed", failure: error?.trim() || "The device reported a failure" };
  if (current !== undefined && isSameVersion(current, update.version)) return { kind: "installed" };
  if (state === FirmwareState.updated && current !== undefined)
    return { kind: "failed", failure: `The device restarted with version ${current}` };
  const step = state === undefined ? undefined : steps[state];
  return step === undefined ? { kind: "nothing" } : { kind: "step", step };
};

/** Longest silence during an update, milliseconds: a few minutes, more for units that sleep between reports. */
export const silenceLimitOf = (reportInterval: number): number => 600_000 + 2 * reportInterval * 1000;

/** Why an update was ended after too long a silence. */
export const silenceFailure = (step: number, chunks: { sent: number; all: number }, current: string | null): string => {
  if (step === UpdateStep.offered) return "The device never began to download";
  if (step === UpdateStep.downloading)
    return `The download stopped at chunk ${chunks.sent} of ${chunks.all} and was not taken up again`;
  const runs = current === null ? "" : `; it runs ${current}`;
  return step === UpdateStep.restarting
    ? `The device did not come back with the new version${runs}`
    : `The device did not go on after the download${runs}`;
};

/** Number of chunks of an image; 0 while their size is unknown. */
export const chunksOf = (size: number, chunkSize: number | null): number =>
  chunkSize === null ? 0 : Math.ceil(size / chunkSize);
