import type { ColumnType } from "kysely";

/** A timestamp column. */
export type Moment = ColumnType<Date, Date, Date>;

/** A nullable timestamp column. */
export type NullableMoment = ColumnType<Date | null, Date | null | undefined, Date | null>;
