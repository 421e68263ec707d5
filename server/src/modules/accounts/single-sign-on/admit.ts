import { audit } from "../../../platform/database/audit.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { invalid, notAllowed } from "../../../platform/http/api-error.ts";
import type { Visitor } from "../../../platform/http/caller.ts";
import type { World } from "../../../world.ts";
import { acceptInvitation, endInvitationLinks, waitingAccounts } from "../invitations/accept.ts";
import { tooOld } from "../invitations/invitations.ts";
import { type Invited, invitedAccount } from "../invitations/queries.ts";
import { takeMailLink } from "../mail/links.ts";
import { activeAccounts, type SignedIn, userByEmail } from "../records/queries.ts";
import { forgetExpired } from "../sign-in/sessions.ts";
import { signIn } from "../sign-in/sign-in.ts";
import type { Identity } from "./provider.ts";
import { bindIdentity, fillNames, followGroups, userOfIdentity } from "./queries.ts";
import { type ProviderSettings, roleOfGroups } from "./settings.rules.ts";

/** The link of an invitation that the person accepts by signing in. */
export interface InvitationLink {
  email: string;
  secret: string;
}

export interface Admission {
  settings: ProviderSettings;
  /** Whom to write to, beside the plant's owner; undefined when the operator has named nobody. */
  supportEmail: string | undefined;
}

const notInvited = ({ email }: Identity, { settings, supportEmail }: Admission) => {
  const whom = supportEmail ? `, or write to ${supportEmail}` : "";
  const who = email ? email : `the user of ${settings.name}`;
  return notAllowed(
    `There is no account for ${who} on this server. Please ask the owner or an admin of your plant to invite this address${whom}`,
  );
};

interface Found {
  userId: number;
  isNew: boolean;
}

/** The user of an identity. At the first sign-in that is the one with its verified address, who is its own from then on. */
const userFor = async (db: Database, identity: Identity, admission: Admission, now: Date): Promise<Found> => {
  const known = await userOfIdentity(db, identity);
  if (known !== undefined) return { userId: known, isNew: false };
  const { email, isVerified } = identity;
  const { name } = admission.settings;
  if (email === "")
    throw notAllowed(`${name} did not send your e-mail address. Please ask who manages your user there`);
  if (!isVerified)
    throw notAllowed(`${name} has not verified that ${email} is yours. Please ask who manages your user there`);
  const user = await userByEmail(db, email);
  if (!user) throw notInvited(identity, admission);
  if (!(await bindIdentity(db, user.user_id, identity, now)))
    throw notAllowed(
      `${email} belongs to another user of ${name}, who has signed in here before. Please ask the operator of this server`,
    );
  return { userId: user.user_id, isNew: true };
};

interface Joining {
  userId: number;
  identity: Identity;
  now: Date;
}

/** Joins the plant of the link; returns the account there. The invited address has to be that of the user. */
const joinByLink = async (
  db: Database,
  { userId, identity, now }: Joining,
  { email, secret }: InvitationLink,
): Promise<number> => {
  const invited = await takeMailLink<Invited>(db, { purpose: "invitation", email, secret, now });
  const account = invited && (await invitedAccount(db, invited.accountId));
  if (!account) throw invalid(tooOld);
  if (account.user_id !== userId)
    throw notAllowed(`The invitation is for ${email}, and you have signed in as ${identity.email}`);
  const { account_id: accountId, plant_id: plantId } = account;
  if (!(await acceptInvitation(db, { userId, plantId, accountId, isBySso: true, now }))) throw invalid(tooOld);
  return accountId;
};

/** Joins all plants that wait for an answer, for somebody who is in none yet: an invited person need not look for the mail. */
const joinWaiting = async (db: Database, { userId, now }: Joining): Promise<void> => {
  const waiting = await waitingAccounts(db, userId, now);
  if (waiting.length > 0 && !waiting.some(({ is_open }) => is_open)) throw notAllowed(tooOld);
  for (const { account_id: accountId, plant_id: plantId } of waiting.filter(({ is_open }) => is_open)) {
    await acceptInvitation(db, { userId, plantId, accountId, isBySso: true, now });
    const user = db.selectFrom("users").select("email").where("user_id", "=", userId);
    await endInvitationLinks(db, (await user.executeTakeFirstOrThrow()).email, accountId);
  }
};

const closedUser =
  "This user belongs to the demonstration, which is off on this server. Please sign in as another user";

/**
 * Creates the sign-in of a person whom the provider has identified. It never opens a support view, nor an account to which nobody has invited them.
 */
export const createAdmit = (world: Pick<World, "db" | "bus" | "clock" | "closed">, admission: Admission) => {
  const { db, bus, clock, closed } = world;
  return async (identity: Identity, visitor: Visitor, link: InvitationLink | undefined): Promise<SignedIn> => {
    const now = clock.date();
    const { signedIn, changed } = await db.transaction().execute(async (trx) => {
      const { userId, isNew } = await userFor(trx, identity, admission, now);
      if (closed.userIds.has(userId)) throw notAllowed(closedUser);
      // A second sign-in of the person waits here, and finds what this one has joined.
      await trx.selectFrom("users").select("user_id").where("user_id", "=", userId).forNoKeyUpdate().execute();
      const joining = { userId, identity, now };
      const joined = link && (await joinByLink(trx, joining, link));
      if (!link && (await activeAccounts(trx, userId)).length === 0) await joinWaiting(trx, joining);
      const own = await activeAccounts(trx, userId);
      const account = own.find(({ account_id }) => account_id === joined) ?? own[0];
      if (!account) throw notInvited(identity, admission);
      const { account_id: accountId, plant_id: plantId } = account;
      if (isNew) {
        await fillNames(trx, userId, identity);
        await audit(trx, { plantId, userId, action: "user.identity", detail: { accountId }, now });
      }
      const role = roleOfGroups(admission.settings.roles, identity.groups);
      const changed = role === undefined ? [] : await followGroups(trx, userId, role, now);
      await forgetExpired(trx, userId, now);
      return { signedIn: await signIn(trx, now, visitor, { userId, accountId, isBySso: true }), changed };
    });
    for (const accountId of changed) bus.emit("rightsChange", { accountId });
    return signedIn;
  };
};
