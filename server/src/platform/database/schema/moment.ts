import type { ColumnType } from "kysely";

/** A column of points in time. */
export type Moment = ColumnType<Date, Date, Date>;

/** The same where it may be empty. */
export type NullableMoment = ColumnType<Date | null, Date | null | undefined, Date | null>;
