import { z } from "zod";
import { getFile, post } from "../../call/call.ts";
import { addressOf } from "../../call/client.ts";
import * as wire from "../../call/wire.ts";
import { namedField, personNameField } from "../../text/text-fields.ts";
import { cellNumberField, passwordField, repeatedPassword, withRepeatedPassword } from "./person-fields.ts";
import { QuietHours } from "./quiet-hours.ts";

/** Industries of a company. (spec 2 §9) */
export const industries = [
  "Agriculture",
  "Apparel",
  "Automotive",
  "Banking",
  "Biotechnology",
  "Chemicals",
  "Communications",
  "Construction",
  "Consulting",
  "Education",
  "Electronics",
  "Energy",
  "Engineering",
  "Entertainment",
  "Environmental",
  "Finance",
  "Food&Beverage",
  "Government",
  "Healthcare",
  "Hospitality",
  "Insurance",
  "Machinery",
  "Manufacturing",
  "Media",
  "Not for Profit",
  "Oil&Gas",
  "Recreation",
  "Retail",
  "Service",
  "Shipping",
  "Technology",
  "Telecommunications",
  "Transportation",
  "Utilities",
  "Other",
] as const;

/** Maximum size of an uploaded picture in bytes. (spec 2 §9) */
export const largestAvatar = 1024 * 1024;
/** Edge length of the stored square picture, pixels. */
export const avatarSize = 256;
/** Error for a file that is neither JPG nor PNG. (spec 2 §5) */
export const notAPhoto = "JPG and PNG only";

const industry = (blank: string) => {
  const error = ({ input }: z.core.$ZodRawIssue) =>
    typeof input === "string" && input.trim() !== "" ? "Choose an industry from the list" : blank;
  return namedField(blank).pipe(z.enum(industries, { error }));
};
const noFirstName = "First name cannot be blank";
const noLastName = "Last name cannot be blank";
const noPhoto = "Please upload a profile photo";

/** Fields of the onboarding form after the first sign-in. */
const Introduction = z.object({
  company: namedField("Enter your company name cannot be blank"),
  industry: industry("Enter industry cannot be blank"),
  firstName: personNameField("Enter your first name cannot be blank"),
  lastName: personNameField("Enter your last name cannot be blank"),
  cellNumber: cellNumberField.optional(),
});

/** Required where the form shows it alone. (spec 2 §5) */
const mobileNumber = cellNumberField.min(10, { error: "Incorrect formatting of mobile phone number" });

/** Each profile page saves its own fields; the others stay unchanged. */
const Profile = z.object({
  /** The name that `profile.upload` returned. */
  avatar: z.string({ error: noPhoto }).trim().min(1, { error: noPhoto }).max(200, { error: noPhoto }).optional(),
  company: namedField("Company name cannot be blank").optional(),
  industry: industry("Enter industry cannot be blank").optional(),
  firstName: personNameField(noFirstName).optional(),
  lastName: personNameField(noLastName).optional(),
  cellNumber: mobileNumber.optional(),
  /** Hours in which the user is notified of urgent alerts only; null: none. */
  quietHours: QuietHours.nullable().optional(),
  /** The alias of the current account. */
  firstAlias: namedField("Alias cannot be blank").optional(),
  originalPwd: z
    .string({ error: "Current password cannot be blank" })
    .min(1, { error: "Current password cannot be blank" })
    .max(1000, { error: "The current password is incorrect" })
    .optional(),
  newPwd: z
    .string({ error: "New password cannot be blank" })
    .min(1, { error: "New password cannot be blank" })
    .pipe(passwordField("Set a password of no less than 8 characters"))
    .optional(),
  confirmPwd: repeatedPassword,
});

const together = (body: typeof Profile): typeof Profile =>
  body
    .refine(({ firstName, lastName }) => firstName === undefined || lastName !== undefined, {
      error: noLastName,
      path: ["lastName"],
    })
    .refine(({ firstName, lastName }) => lastName === undefined || firstName !== undefined, {
      error: noFirstName,
      path: ["firstName"],
    })
    .refine(({ originalPwd, newPwd }) => newPwd === undefined || originalPwd !== undefined, {
      error: "Current password cannot be blank",
      path: ["originalPwd"],
    })
    .refine(({ originalPwd, newPwd }) => originalPwd === undefined || newPwd !== undefined, {
      error: "New password cannot be blank",
      path: ["newPwd"],
    });

export const profile = {
  introduce: post("/api/user/update/info", {
    access: "profile.write",
    summary: "Saves a new user's personal information; `hasInfo` is true from then on",
    encoding: "json",
    body: Introduction,
    result: z.null(),
  }),
  update: post("/api/user/update/userInfo", {
    access: "profile.write",
    summary: "Saves the given fields. A new password ends the user's other sessions",
    encoding: "json",
    body: withRepeatedPassword(together(Profile), "newPwd", "confirmPwd"),
    result: z.null(),
  }),
  changeAlias: post("/api/user/change/alias", {
    access: "profile.write",
    summary: "Sets the alias of one of the user's accounts; an owner's alias is the plant's name",
    encoding: "json",
    body: z.object({ accountId: z.int32(), alias: namedField("Alias cannot be blank") }),
    result: z.null(),
  }),
  upload: post("/api/user/upload", {
    access: "profile.write",
    summary: "Accepts a JPG or PNG of at most 1 MB, crops it to a square and returns the address to save as avatar",
    encoding: "multipart",
    body: z.object({ file: wire.upload(largestAvatar, noPhoto, "The photo must be at most 1 MB") }),
    result: z.string(),
  }),
  avatar: getFile("/api/user/avatar", {
    access: "public",
    summary: "A picture by its unguessable name",
    file: "image/webp",
    query: z.object({ name: z.string().regex(/^[\w-]{20,64}$/, { error: "There is no such picture" }) }),
  }),
};

/** The address of a picture; null for a user without one. */
export const avatarAddress = (name: string | null): string | null =>
  name === null ? null : addressOf("", profile.avatar, { name });

/** The name in a picture's address; undefined when it is not one. */
export const avatarName = (address: string): string | undefined => {
  if (!URL.canParse(address, "http://here")) return undefined;
  const { pathname, searchParams } = new URL(address, "http://here");
  return pathname === profile.avatar.path ? (searchParams.get("name") ?? undefined) : undefined;
};
