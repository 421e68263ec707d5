import { DeviceStatus } from "@telltale/contract/domains/devices";
import { versionTypeLabel } from "@telltale/contract/domains/firmware";
import { type Available, isNewer, isSameVersion } from "./version.rules.ts";

/** Inputs of the check whether a device may be updated to a version. */
export interface RequestedUpdate {
  name: string;
  partNumber: string;
  status: number;
  /** The version that the device runs; null when unknown. */
  current: string | null;
  rollback: string | null;
  /** The version of its open update, if any. */
  updatingTo: string | null;
  versionNo: string;
  versionType: number;
  /** The version for its P/N … */
  image: Available | undefined;
  /** … or, without one, another P/N that has it. */
  meantFor: string | undefined;
}

/** Why a device cannot be updated. `conflict`: it may be possible later. */
export interface UpdateError {
  kind: "conflict" | "invalid";
  sentence: string;
}

const conflict = (sentence: string): UpdateError => ({ kind: "conflict", sentence });
const invalid = (sentence: string): UpdateError => ({ kind: "invalid", sentence });

const stateError = ({ name, status, updatingTo }: RequestedUpdate): UpdateError | undefined => {
  if (updatingTo !== null)
    return conflict(`${name} is being updated to ${updatingTo}. Please wait until that update has ended`);
  if (status === DeviceStatus.inactive)
    return conflict(`${name} is inactive. It can be updated when it is enabled and has sent data`);
  if (status === DeviceStatus.offline) return conflict(`${name} is offline. It can be updated when it is online`);
  if (status === DeviceStatus.paymentDue)
    return conflict(`A payment is due for ${name}. It can be updated when that is paid`);
  return undefined;
};

const imageError = (request: RequestedUpdate): UpdateError | undefined => {
  const { name, partNumber, versionNo, versionType, image, meantFor } = request;
  if (!image && meantFor)
    return invalid(`Version ${versionNo} is for ${meantFor}, and ${name} is ${partNumber}. Choose one for its P/N`);
  if (!image) return invalid(`There is no version ${versionNo} for ${partNumber}`);
  if (versionTypeLabel(versionType) !== versionTypeLabel(image.versionType))
    return invalid(`Version ${versionNo} for ${partNumber} is of type ${versionTypeLabel(image.versionType)}`);
  return undefined;
};

const orderError = ({ name, versionNo, current, rollback }: RequestedUpdate): UpdateError | undefined => {
  if (isSameVersion(versionNo, current)) return conflict(`${name} runs ${versionNo} already`);
  if (isNewer(versionNo, current) || isSameVersion(versionNo, rollback)) return undefined;
  const way = rollback === null ? "There is none that it could go back to" : `It can go back to ${rollback} only`;
  return invalid(`Version ${versionNo} is older than ${current}, which ${name} runs. ${way}`);
};

/** Why a device cannot be updated now; undefined when it can. */
export const updateError = (request: RequestedUpdate): UpdateError | undefined =>
  stateError(request) ?? imageError(request) ?? orderError(request);
