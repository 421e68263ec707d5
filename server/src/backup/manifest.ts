import { z } from "zod";

const name = z.string().regex(/^[a-z_][a-z0-9_]*$/);
const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** A part of the archive: where it lies, how long it is there, and its SHA-256. */
const part = { part: z.string(), bytes: z.int().nonnegative(), sha256: digest };

/** A path of a kept file; nothing in it leads out of DATA_DIR. */
const filePath = z
  .string()
  .regex(/^[\w-]+(\/[\w.-]+)+$/)
  .refine((path) => !path.split("/").some((step) => step === "." || step === ".."));

/** What is in a backup: the archive's last part, `manifest.json`. */
export const Manifest = z.object({
  kind: z.literal("telltale-backup"),
  /** Raised when an older Telltale can't read what a newer one writes. */
  format: z.int(),
  /** The moment it shows, ISO 8601. */
  madeAt: z.iso.datetime(),
  /** The database's version: 180004 is 18.4. */
  postgres: z.int(),
  /** The schema, as the migrations that made it. */
  migrations: z.array(z.string().regex(/^[\w.-]+\.sql$/)).min(1),
  tables: z.array(z.object({ name, columns: z.array(name).min(1), rows: z.int().nonnegative(), ...part })),
  /** The last number that each sequence has given. */
  sequences: z.array(z.object({ name, value: z.int() })),
  files: z.array(z.object({ path: filePath, ...part })),
});
export type Manifest = z.infer<typeof Manifest>;

/** The format that this version writes, and the newest it reads. */
export const format = 1;

export const manifestPath = "manifest.json";
