import { type UpdateProgress, UpdateStep } from "@telltale/contract/firmware";

/** How far an update is, in words. */
export const updateWords = ({ step, chunk, chunks }: UpdateProgress): string => {
  if (step === UpdateStep.downloading) return chunks === 0 ? "Downloading" : `Downloading, ${chunk} of ${chunks}`;
  if (step === UpdateStep.downloaded) return "Downloaded, being checked";
  if (step === UpdateStep.verified) return "Checked, being installed";
  return step === UpdateStep.restarting ? "Installed, restarting" : "Waiting for the device";
};

/** How much of an image has been sent, from 0 to 1; the rest of an update takes no time that could be told. */
export const partDone = ({ step, chunk, chunks }: UpdateProgress): number => {
  if (step === UpdateStep.offered || chunks === 0) return 0;
  return step === UpdateStep.downloading ? Math.min(1, chunk / chunks) : 1;
};
