import { z } from "zod";

const name = z.string().regex(/^[a-z_][a-z0-9_]*$/);
const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** A part of the archive: its path and size there, and its SHA-256. */
const part = { part: z.string(), bytes: z.int().nonnegative(), sha256: digest };

/** A part of a partitioned table, as the restore makes it again. */
const partition = z.object({
  name,
  bounds: z.string().regex(/^FOR VALUES FROM \((MINVALUE|-?\d+)\) TO \(-?\d+\)$/),
  options: z.array(z.string().regex(/^[a-z_.]+=[\w.]+$/)),
});

/** Relative path of a kept file; cannot lead out of DATA_DIR. */
const filePath = z
  .string()
  .regex(/^[\w-]+(\/[\w.-]+)+$/)
  .refine((path) => !path.split("/").some((step) => step === "." || step === ".."));

/** Content of a backup: the archive's last part, `manifest.json`. */
export const Manifest = z.object({
  kind: z.literal("telltale-backup"),
  /** Increased when older versions cannot read the format. */
  format: z.int(),
  /** Time of the snapshot, ISO 8601. */
  madeAt: z.iso.datetime(),
  /** The database's version: 180004 is 18.4. */
  postgres: z.int(),
  /** The schema, as the migrations that made it. */
  migrations: z.array(z.string().regex(/^[\w.-]+\.sql$/)).min(1),
  tables: z.array(
    z.object({
      name,
      columns: z.array(name).min(1),
      rows: z.int().nonnegative(),
      partitions: z.array(partition).default([]),
      ...part,
    }),
  ),
  /** Last value of each sequence. */
  sequences: z.array(z.object({ name, value: z.int() })),
  files: z.array(z.object({ path: filePath, ...part })),
  /** Stored readings that the database could not give any more, a sentence each; older versions did not write it. */
  leftOut: z.array(z.string()).default([]),
});
export type Manifest = z.infer<typeof Manifest>;

/** The format written by this version, and the newest it reads. */
export const format = 1;

export const manifestPath = "manifest.json";
