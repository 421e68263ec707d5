import * as wire from "../../call/wire.ts";
import type { AlarmRange } from "./alarm-range.ts";

/** When an alarm's gate is open: its channel is ON, or above or below a value. An alarm with a gate is raised only while it is open. */
export const GateType = { on: 1, above: 2, below: 3 } as const;
export type GateType = (typeof GateType)[keyof typeof GateType];
export const gateTypeLabels: Record<GateType, string> = { 1: "is ON", 2: "is above", 3: "is below" };

/** Longest time after a gate opens in which the alarm's condition does not count yet, seconds. */
export const longestStartUp = 86_400;

/** Fields of an alarm's gate. Clients that do not know them leave it as it is. */
export const gateFields = {
  /** A channel of the same master's family; 0 or blank: none. */
  gateChannelId: wire.intOrNone("Choose the channel from the list").optional(),
  gateType: wire.oneOf<GateType>(Object.values(GateType), "Choose when the alert is active").optional(),
  gateValue: wire.decimal("Enter the value as a number").optional(),
  startUp: wire
    .intBetween(0, longestStartUp, "The start-up time is a whole number of seconds, at most a day")
    .optional(),
};

/** The fields of an alarm that its gate depends on, as far as they are given. */
interface Gated {
  deviceChannelId?: number | undefined;
  gateChannelId?: number | undefined;
  gateType?: number | undefined;
  gateValue?: number | undefined;
}

interface GateError {
  field: "gateChannelId" | "gateType" | "gateValue";
  message: string;
}

/** Whether an alarm has a gate. */
export const hasGate = ({ gateChannelId }: Gated): boolean => gateChannelId !== undefined && gateChannelId !== 0;

/** Whether values of this range are ON and OFF. */
export const isContact = ({ isDiscrete, span }: AlarmRange): boolean => isDiscrete && span !== null;

/** Reason why the gate is incomplete, with the field at fault; undefined when it is complete, or the alarm has none. */
export const gateFieldsError = (given: Gated): GateError | undefined => {
  if (!hasGate(given)) return undefined;
  if (given.gateChannelId === given.deviceChannelId)
    return {
      field: "gateChannelId",
      message: "The alert watches this channel itself. Choose another one for Only while",
    };
  if (given.gateType === undefined) return { field: "gateType", message: "Choose when the alert is active" };
  return given.gateType !== GateType.on && given.gateValue === undefined
    ? { field: "gateValue", message: "Enter the value from which the alert is active" }
    : undefined;
};

/** Reason why a gate on a channel of this range would never open, with the field at fault. */
export const gateError = (given: Gated, range: AlarmRange): GateError | undefined => {
  const { gateType, gateValue } = given;
  if (!hasGate(given) || gateType === undefined) return undefined;
  if (isContact(range) !== (gateType === GateType.on))
    return {
      field: "gateType",
      message: isContact(range)
        ? "A contact is ON or OFF. Choose is ON"
        : "This channel is measured. Choose above or below",
    };
  if (gateValue === undefined) return undefined;
  const never = (message: string) => ({ field: "gateValue", message }) as const;
  if (gateType === GateType.above && range.span !== null && gateValue >= range.span)
    return never(
      `The channel never reads more, so that the alert would never be raised. Enter less than ${range.span}`,
    );
  if (gateType === GateType.below && range.zero !== null && gateValue <= range.zero)
    return never(
      `The channel never reads less, so that the alert would never be raised. Enter more than ${range.zero}`,
    );
  return undefined;
};
