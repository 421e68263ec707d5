import { type FirmwareFacts, FirmwareState } from "@telltale/contract/device-api";
import { UpdateStep } from "@telltale/contract/domains/firmware";
import { isSameVersion } from "./version.rules.ts";

/** An update under way, as far as a report is judged by it. */
export interface EvaluatedUpdate {
  version: string;
  sha256: string;
}

/** What a report makes of an update. */
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

const digestFailure = ({ sha256 }: EvaluatedUpdate, { fw_checksum: computed }: FirmwareFacts): string | undefined =>
  computed === undefined || computed.toLowerCase() === sha256
    ? undefined
    : `What arrived at the device is not the image: its SHA-256 begins ${start(computed)} and not ${start(sha256)}`;

/**
 * Judges what a device says while it is updated. A wrong digest ends the update, whatever else is said; it is installed when the device runs it, and
 * not when it merely says so.
 */
export const evaluateReport = (update: EvaluatedUpdate, said: FirmwareFacts): Verdict => {
  const { fw_state: state, fw_error: error, current_fw_version: current } = said;
  const failure = digestFailure(update, said);
  if (failure) return { kind: "failed", failure };
  if (state === FirmwareState.failed)
    return { kind: "failed", failure: error?.trim() || "The device says that it failed" };
  if (current !== undefined && isSameVersion(current, update.version)) return { kind: "installed" };
  if (state === FirmwareState.updated && current !== undefined)
    return { kind: "failed", failure: `The device restarted with version ${current}` };
  const step = state === undefined ? undefined : steps[state];
  return step === undefined ? { kind: "nothing" } : { kind: "step", step };
};

/** Silence that is suffered during an update, milliseconds: a few minutes, and longer for a unit that sleeps between its reports. */
export const patienceOf = (reportInterval: number): number => 600_000 + 2 * reportInterval * 1000;

/** Why an update is ended that nothing was heard of for too long. */
export const silenceFailure = (step: number, chunks: { sent: number; all: number }, current: string | null): string => {
  if (step === UpdateStep.offered) return "The device never began to download";
  if (step === UpdateStep.downloading)
    return `The download stopped at chunk ${chunks.sent} of ${chunks.all} and was not taken up again`;
  const runs = current === null ? "" : `; it runs ${current}`;
  return step === UpdateStep.restarting
    ? `The device did not come back with the new version${runs}`
    : `The device did not go on after the download${runs}`;
};

/** Chunks that an image is cut into; 0 while their size is not known. */
export const chunksOf = (size: number, chunkSize: number | null): number =>
  chunkSize === null ? 0 : Math.ceil(size / chunkSize);
