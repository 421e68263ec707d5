-- Contacts: whom a plant's alerts are told besides its users ------------------------------------------------------------

CREATE TABLE contacts (
  contact_id    int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  plant_id      int NOT NULL REFERENCES plants,
  type          smallint NOT NULL CHECK (type IN (1, 2)),              -- mail, phone
  first_name    text NOT NULL,
  last_name     text NOT NULL,
  contact_info  text NOT NULL,                                         -- an e-mail address, or a number's digits with its country code
  status        smallint NOT NULL DEFAULT 0 CHECK (status IN (-1, 0, 1)), -- refused, pending, verified
  -- In the link by which alerts are stopped, which is all that it can do: readable, because every mail carries it.
  stop_key      text NOT NULL UNIQUE,
  created_by    int REFERENCES accounts,
  created_time  timestamptz NOT NULL,
  answered_time timestamptz                                            -- when it was verified or refused
);
CREATE UNIQUE INDEX contacts_once ON contacts (plant_id, type, lower(contact_info));
-- By address in every plant: who stops SMS at the provider stops all of them.
CREATE INDEX contacts_address ON contacts (lower(contact_info));

-- Contacts that an alarm is told to.
CREATE TABLE alarm_recipients (
  alarm_id   int NOT NULL REFERENCES alarms ON DELETE CASCADE,
  contact_id int NOT NULL REFERENCES contacts ON DELETE CASCADE,
  PRIMARY KEY (alarm_id, contact_id)
);
CREATE INDEX alarm_recipients_contact ON alarm_recipients (contact_id);
-- The rules that say who is told of a device's own limits and of what happens to it.
CREATE INDEX alarms_told ON alarms (device_id, alarm_class) WHERE alarm_class IN (2, 4);

-- A link that asks whoever reads a mail address whether alerts may be sent there.
ALTER TABLE mail_links DROP CONSTRAINT mail_links_purpose_check;
ALTER TABLE mail_links ADD CONSTRAINT mail_links_purpose_check
  CHECK (purpose IN ('registration', 'invitation', 'reset', 'contact'));

-- The code that a phone was sent, as SHA-256.
CREATE TABLE contact_codes (
  contact_id   int PRIMARY KEY REFERENCES contacts ON DELETE CASCADE,
  code_hash    bytea NOT NULL,
  tries        smallint NOT NULL DEFAULT 0,
  expires_time timestamptz NOT NULL
);

-- Every mail or SMS that asked somebody to be a contact. It outlives the contact, so that deleting and adding asks nobody endlessly.
CREATE TABLE contact_requests (
  request_id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  plant_id     int NOT NULL,
  type         smallint NOT NULL,
  contact_info text NOT NULL,                                          -- in lower case
  created_time timestamptz NOT NULL,
  refused_time timestamptz
);
CREATE INDEX contact_requests_address ON contact_requests (contact_info, type, created_time);
CREATE INDEX contact_requests_plant ON contact_requests (plant_id, created_time);
