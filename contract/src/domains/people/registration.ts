import { z } from "zod";
import { get, post } from "../../call/call.ts";
import { typedDeviceId } from "../devices.ts";
import {
  emailField,
  passwordField,
  repeated,
  repeats,
  secretField,
  termsField,
  timeZoneField,
} from "./person-fields.ts";

const unknownEmail = "Enter the email address associated with your account";

const NewPassword = z.object({
  email: emailField(unknownEmail),
  newPwd: passwordField("Set a password of no less than 8 characters"),
  confirmPwd: repeated,
  accessToken: secretField,
});

/** A forgotten password. (spec 2 §2, decisions §5) */
export const passwords = {
  askReset: post("/api/user/update/password/sendEmail", {
    access: "public",
    summary: "Mails a link that sets a new password, once and within an hour; the answer is the same for every address",
    body: z.object({ email: emailField(unknownEmail) }),
    result: z.null(),
  }),
  reset: post("/api/user/update/password", {
    access: "public",
    summary: "Sets a new password by the mailed link; ends every session of the user",
    body: repeats(NewPassword, "newPwd", "confirmPwd"),
    result: z.null(),
  }),
};

const badEmail = "Please enter a valid email address";
const noDeviceId = "Please enter a Device ID";

/** What somebody is invited to, as the mailed link shows it. */
export const Invitation = z.object({
  plantName: z.string(),
  roleName: z.string(),
  invitedBy: z.string(),
  /** Whether this e-mail address signs in already: then its own password is asked for, and none is set. */
  isRegistered: z.boolean(),
});
export type Invitation = z.output<typeof Invitation>;

const Register = z.object({
  email: emailField(badEmail),
  telltaleId: typedDeviceId(noDeviceId),
  password: passwordField("Password must be a minimum of 8 characters"),
  confirmPassword: repeated,
  terms: termsField,
  timeZoneId: timeZoneField,
});

const Join = z.object({
  email: emailField(badEmail),
  password: passwordField("Set a password of no less than 8 characters"),
  confirmPassword: repeated,
  terms: termsField,
  accessToken: secretField,
});

/** How somebody becomes a user. No answer tells whether an e-mail address is registered; the mail does. (spec 2 §2, decisions §5) */
export const registration = {
  register: post("/api/register", {
    access: "public",
    summary: "Asks to become the owner of a plant with this unclaimed main device; the link in the mail completes it",
    body: repeats(Register, "password", "confirmPassword"),
    result: z.null(),
  }),
  resend: get("/api/register/send/email", {
    access: "public",
    summary: "Sends the link of a registration once more; the links before end",
    query: z.object({ email: emailField(badEmail), telltaleId: typedDeviceId(noDeviceId).optional() }),
    result: z.null(),
  }),
  confirm: get("/api/register/confirm/email", {
    access: "public",
    summary: "Completes a registration by the mailed link, which works once and for an hour",
    query: z.object({ accessToken: secretField, email: emailField(badEmail) }),
    result: z.null(),
  }),
  invitation: get("/api/register/invitation", {
    access: "public",
    summary: "What the mailed link invites to",
    query: z.object({ accessToken: secretField, email: emailField(badEmail) }),
    result: Invitation,
  }),
  join: post("/api/register/user", {
    access: "public",
    summary: "Joins a plant by invitation: sets a password, or gives that of a user who has one",
    body: repeats(Join, "password", "confirmPassword"),
    result: z.null(),
  }),
};
