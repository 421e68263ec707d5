-- What whoever invites calls the invited. Until the invitation is answered the plant sees this, not what the user says of themselves elsewhere:
-- otherwise anybody could learn who an e-mail address belongs to by inviting it.
ALTER TABLE accounts ADD COLUMN invited_first_name text NOT NULL DEFAULT '';
ALTER TABLE accounts ADD COLUMN invited_last_name text NOT NULL DEFAULT '';
ALTER TABLE accounts ADD COLUMN invited_cell_number text NOT NULL DEFAULT '';
