import { type RawBuilder, sql } from "kysely";

/** SQL: what a user is called: first and last name, and the mail address while no name is known; null where the joined `table` has no row. */
export const userNameIn = (table: "users" | "u"): RawBuilder<string | null> => {
  const [first, last, email] = [`${table}.first_name`, `${table}.last_name`, `${table}.email`].map((each) =>
    sql.ref(each),
  );
  return sql`coalesce(nullif(concat_ws(' ', nullif(trim(${first}), ''), nullif(trim(${last}), '')), ''), ${email})`;
};
