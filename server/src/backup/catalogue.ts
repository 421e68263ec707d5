import type { ClientBase } from "pg";

/** SQL condition: the catalogue row `alias` belongs to no extension. */
const ours = (alias: string): string =>
  `NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = ${alias}.oid AND d.deptype = 'e')`;

const here = "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())";

/** A table with its stored columns; a partitioned table stands for its partitions. */
export interface Table {
  name: string;
  columns: string[];
  partitions: { name: string; bounds: string; options: string[] }[];
}

/** Default partitions, of older versions, are made by migrations. */
const partitionsOfTable = `
  (SELECT coalesce(json_agg(json_build_object('name', p.relname, 'bounds', replace(pg_get_expr(p.relpartbound, p.oid), '''', ''),
                                              'options', coalesce(p.reloptions, '{}')) ORDER BY p.relname), '[]')
     FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid WHERE i.inhparent = c.oid AND pg_get_expr(p.relpartbound, p.oid) LIKE 'FOR VALUES FROM%')`;

/** All tables of the schema by name, without the list of migrations. */
export const tablesOf = async (client: ClientBase): Promise<Table[]> => {
  const { rows } = await client.query<Table>(
    `SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns, ${partitionsOfTable} AS partitions
       FROM pg_class c
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      WHERE c.relnamespace = ${here} AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'schema_migrations'
        AND ${ours("c")}
      GROUP BY c.oid, c.relname ORDER BY c.relname`,
  );
  return rows;
};

/** The last value of each sequence that has been used. */
export const sequencesOf = async (client: ClientBase): Promise<{ name: string; value: number }[]> => {
  const { rows } = await client.query<{ name: string; value: string }>(
    `SELECT sequencename::text AS name, last_value AS value FROM pg_sequences
      WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY sequencename`,
  );
  return rows.map(({ name, value }) => ({ name, value: Number(value) }));
};

/** The applied migrations in order; none when the schema is not Telltale's. */
export const migrationsOf = async (client: ClientBase): Promise<string[]> => {
  const { rows: found } = await client.query("SELECT to_regclass('schema_migrations') AS is");
  if (found[0]?.is === null) return [];
  const { rows } = await client.query<{ name: string }>("SELECT name FROM schema_migrations ORDER BY name");
  return rows.map(({ name }) => name);
};

/** Statements that drop everything in the schema. */
export const dropsOf = async (client: ClientBase): Promise<string[]> => {
  const { rows } = await client.query<{ drop: string }>(
    `SELECT format('DROP TABLE IF EXISTS %I CASCADE', c.relname) AS drop FROM pg_class c
      WHERE c.relnamespace = ${here} AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND ${ours("c")}
      UNION ALL
     SELECT format('DROP FUNCTION IF EXISTS %s CASCADE', p.oid::regprocedure) FROM pg_proc p WHERE p.pronamespace = ${here} AND ${ours("p")}`,
  );
  return rows.map(({ drop }) => drop);
};

/** Statements that drop all foreign keys, and those that add them again. */
export const foreignKeysOf = async (client: ClientBase): Promise<{ drop: string; add: string }[]> => {
  const { rows } = await client.query<{ drop: string; add: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', k.conrelid::regclass, k.conname) AS drop,
            format('ALTER TABLE %s ADD CONSTRAINT %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) AS add
       FROM pg_constraint k WHERE k.contype = 'f' AND k.connamespace = ${here} AND k.conparentid = 0`,
  );
  return rows;
};
