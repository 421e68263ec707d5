import { sql } from "kysely";
import { containing } from "../database/paging.ts";

/** Columns of `listed_devices` that are searched; they hold small letters only. */
export type ListedText = "device_sn" | "device_sn_id" | "device_name";

/** Whether the column holds the text anywhere, without regard to case. Much cheaper than ILIKE, which folds each row anew. */
export const listedLike = (column: ListedText, text: string) =>
  sql<boolean>`${sql.ref(`listed_devices.${column}`)} like lower(${containing(text)})`;
