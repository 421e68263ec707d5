import { writeFile } from "node:fs/promises";
import { addDeviceLink } from "@telltale/contract/domains/fleet/add-device-link";
import { LabelSheet, mostLabels } from "@telltale/contract/domains/fleet/labels";
import { labelsPdf } from "../modules/labels/index.ts";
import { typedFile } from "../platform/installed.ts";
import { OperatorError } from "../platform/operator-error.ts";
import type { Operator } from "./open.ts";
import type { Row } from "./print.ts";

export interface PrintLabels {
  /** Labels of a sheet, as text. */
  sheet: string;
  skip: number;
}

/** Sheets by their number of labels. */
const sheets: Readonly<Record<string, LabelSheet>> = {
  14: LabelSheet.large,
  21: LabelSheet.medium,
  48: LabelSheet.small,
};

/** The sheets that can be chosen, for the help. */
export const sheetNames = Object.keys(sheets).join(", ");

/** The units with these IDs, or all that no plant has. */
const unitsOf = ({ db }: Operator, deviceSnIds: readonly string[]) =>
  db
    .selectFrom("devices")
    .select(["device_name", "device_sn", "device_sn_id"])
    .where("device_id", "not in", db.selectFrom("deleted_devices").select("device_id"))
    .$if(deviceSnIds.length > 0, (q) => q.where("device_sn_id", "in", deviceSnIds))
    .$if(deviceSnIds.length === 0, (q) => q.where("plant_id", "is", null))
    .orderBy("device_id")
    .limit(mostLabels + 1)
    .execute();

/** Writes labels of units into a new PDF file. */
export const printLabels = async (
  operator: Operator,
  { file, deviceSnIds, sheet, skip }: PrintLabels & { file: string; deviceSnIds: readonly string[] },
): Promise<Row[]> => {
  const grid = sheets[sheet];
  if (grid === undefined) throw new OperatorError(`There is no sheet of ${sheet} labels: choose one of ${sheetNames}`);
  const units = await unitsOf(operator, deviceSnIds);
  const unknown = deviceSnIds.find((id) => !units.some((unit) => unit.device_sn_id === id));
  if (unknown !== undefined) throw new OperatorError(`There is no device ${unknown}`);
  if (units.length === 0) throw new OperatorError("Every device is in a plant: name the device IDs");
  if (units.length > mostLabels)
    throw new OperatorError(`A file has at most ${mostLabels} labels: name the device IDs`);
  const labels = units.map(({ device_name: name, device_sn: partNumber, device_sn_id: deviceSnId }) => ({
    ...{ name, partNumber, deviceSnId, link: addDeviceLink(operator.publicUrl, deviceSnId) },
  }));
  const content = await labelsPdf(0, { sheet: grid, skip, labels });
  await writeFile(typedFile(file), content, { flag: "wx" }).catch((fault: NodeJS.ErrnoException) => {
    throw fault.code === "EEXIST" ? new OperatorError(`${file} exists already: name a new file`) : fault;
  });
  return units.map((unit) => ({ deviceSnId: unit.device_sn_id, deviceSn: unit.device_sn }));
};
