import { readConfig } from "../config.ts";
import { addSqlUser, listSqlUsers, removeSqlUser, sqlNamesOf } from "../modules/sql-access/index.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { plantOf } from "./accounts.ts";
import type { Operator } from "./open.ts";
import type { Row } from "./print.ts";

export interface NewSqlUser {
  /** Name or number of the plant. */
  plant: string;
  /** E-mail of its owner. */
  owner?: string;
  /** Who creates it, for the audit log. */
  by: string;
}

/** Names of plants that an error shows. */
const shownNames = 10;

/** The plant of this name or number. Throws an OperatorError when there is none, or several. */
const plantNamed = async (operator: Operator, { plant, owner }: NewSqlUser): Promise<number> => {
  if (owner) return (await plantOf(operator.db, owner, plant)).plantId;
  const found = await operator.db
    .selectFrom("plants as p")
    .select("p.plant_id")
    .where(({ eb, or, exists, selectFrom }) =>
      or([
        eb("p.name", "=", plant),
        exists(
          selectFrom("accounts as a")
            .select("a.account_id")
            .whereRef("a.plant_id", "=", "p.plant_id")
            .where("a.account_no", "=", plant),
        ),
      ]),
    )
    .execute();
  const [only, second] = found;
  if (!only) {
    const some = await operator.db.selectFrom("plants").select("name").orderBy("plant_id").limit(shownNames).execute();
    throw new OperatorError(`There is no plant ${plant}; there are ${some.map(({ name }) => name).join(", ")}`);
  }
  if (second) throw new OperatorError(`There are several plants ${plant}: choose with --owner EMAIL`);
  return only.plant_id;
};

/** Where SQL users connect, as this machine's server is configured. */
const addressOf = (databaseUrl: string): Row => {
  const { SQL_PORT: port, SQL_HOST: host } = readConfig(process.env);
  const database = sqlNamesOf(databaseUrl).offered;
  return port === undefined
    ? { database, next: "set SQL_PORT (and SQL_HOST for other machines), and restart the server" }
    : { database, host, port };
};

/** Creates a SQL user; answers its password and where it connects. */
export const createSqlUser = async (operator: Operator, name: string, options: NewSqlUser): Promise<Row[]> => {
  const plantId = await plantNamed(operator, options);
  const password = await addSqlUser(operator, operator.place, { plantId, name, madeBy: options.by });
  return [{ user: name, password, ...addressOf(operator.place.databaseUrl) }];
};

/** All SQL users. */
export const showSqlUsers = async (operator: Operator): Promise<Row[]> =>
  (await listSqlUsers(operator)).map(({ created, lastUsed, ...user }) => ({
    ...user,
    created: created.toISOString(),
    lastUsed: lastUsed?.toISOString() ?? null,
  }));

/** Removes a SQL user. */
export const dropSqlUser = async (operator: Operator, name: string, madeBy: string): Promise<Row[]> => {
  await removeSqlUser(operator, operator.place, { name, madeBy });
  return [{ user: name, status: "removed" }];
};
