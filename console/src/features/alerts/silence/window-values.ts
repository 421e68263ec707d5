import {
  type Occurrence,
  occurrences,
  planOf,
  type WindowInput,
  WindowRepeat,
  windowErrors,
} from "@telltale/contract/domains/alerting/maintenance";
import type { Silence } from "@telltale/contract/domains/alerting/silences";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import type { ChosenDevice } from "../../../domain/devices/device-field.tsx";
import { serverNow } from "../../../ui/server-time.ts";

/** What the form for a maintenance window holds. */
export interface WindowValues extends Omit<WindowInput, "name" | "deviceIds"> {
  name: string;
  reason: string;
  devices: ChosenDevice[];
}

/** A window as the form shows it; of a new one the next full hour, in the browser's time zone. */
export const valuesOf = (silence: Silence | undefined, devices: ChosenDevice[]): WindowValues => {
  const timeZoneId = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zone = zoneOf(timeZoneId);
  const start = Math.ceil(serverNow() / 3_600_000) * 3_600_000;
  const end = start + 2 * 3_600_000;
  const plan = silence?.plan;
  return {
    name: silence?.alarmName ?? "",
    reason: silence?.reason ?? "",
    devices: silence?.devices ?? devices,
    repeat: plan?.repeat ?? WindowRepeat.once,
    date: plan?.date ?? zone.day(start),
    weekday: plan?.weekday ?? 1,
    nth: plan?.nth ?? 1,
    from: plan?.from ?? zone.clock(start),
    to: plan?.to ?? zone.clock(end),
    daysLater: plan?.daysLater ?? (zone.day(end) === zone.day(start) ? 0 : 1),
    timeZoneId: plan?.timeZoneId ?? timeZoneId,
  };
};

/** The values as the call takes them. */
export const inputOf = ({ devices, ...values }: WindowValues) => ({
  ...values,
  name: values.name.trim(),
  reason: values.reason.trim(),
  deviceIds: devices.map(({ deviceId }) => deviceId),
});

/** What is wrong, by field; the same rules as the server's. */
export const errorsOf = (values: WindowValues): Partial<Record<string, string>> => {
  const input = inputOf(values);
  const errors: Partial<Record<string, string>> = {};
  for (const [field, message] of windowErrors(input)) errors[field] ??= message;
  if (input.reason === "") errors.reason = "Enter a reason";
  if (Object.keys(errors).length === 0 && occurrences(planOf(input), serverNow(), 1).length === 0)
    errors.date = "This window is over already. Enter a later day";
  return errors;
};

/** The next occurrences; none while the values are not valid. */
export const nextOf = (values: WindowValues): Occurrence[] => {
  const input = { ...inputOf(values), name: "-", deviceIds: [0] };
  return windowErrors(input).length > 0 ? [] : occurrences(planOf(input), serverNow(), 3);
};
