#!/usr/bin/env python3
"""A mail server of your own for practice, on this machine only.

Starts Dovecot (IMAP, IMAPS) and a submission server (SMTP with STARTTLS, and SMTPS) on loopback
for the users that you name. When all is ready it prints one line of JSON with the ports and the
certificate to trust, and writes the same into DIR/ready.json. It ends on Ctrl-C, on SIGTERM, or
when its standard input, if that is a pipe, is closed. Mails stay in DIR; start it again with the
same folder and they are still there.

It needs Dovecot, openssl and aiosmtpd:

    apt-get install dovecot-imapd dovecot-lmtpd openssl
    python3 -m venv mail-venv && mail-venv/bin/pip install aiosmtpd

and is then started, for instance, by

    mail-venv/bin/python practice/mail_server.py --dir mail --user red@league.test:secret \\
        --user manager@league.test:secret
"""

import argparse
import asyncio
import asyncio.sslproto  # noqa: F401  Loaded now: after the change of user it may be unreadable.
import ctypes
import email
import email.parser
import email.policy
import email.utils
import encodings.idna  # noqa: F401  As above.
import grp
import json
import logging
import os
import pwd
import re
import shutil
import signal
import smtplib
import socket
import ssl
import stat
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

try:
    from aiosmtpd.smtp import SMTP, AuthResult
except ImportError:
    sys.exit(
        "mail_server: aiosmtpd is missing for this Python; make it a place of its own with\n"
        "  python3 -m venv mail-venv && mail-venv/bin/pip install aiosmtpd\n"
        "and start this script with mail-venv/bin/python"
    )

HOST = "127.0.0.1"
# The name under which the submission server vouches for who logged in.
VOUCHER = "practice.league.test"
NOBODY = 65534
LIBEXEC = Path("/usr/lib/dovecot")
SIZE_MAX = 16 * 1024 * 1024
ADDRESS = re.compile(r"[A-Za-z0-9._-]+@[A-Za-z0-9.-]+")
# What may be in the folder, from an earlier start.
OURS = {"base", "dovecot.conf", "dovecot.log", "mail", "passwd", "state", "tls", "users"}
OURS |= {"ready.json", "ready.json.new", "mails.jsonl"}
IMAP_PORTS = ("imap", "imaps", "lmtp")
READY_TRIES = 200
READY_PAUSE_S = 0.05

DOVECOT = """\
protocols = imap lmtp
listen = {host}
base_dir = {dir}/base
state_dir = {dir}/state
log_path = {dir}/dovecot.log
info_log_path = {dir}/dovecot.log
libexec_dir = {libexec}
mail_plugin_dir = {libexec}/modules
import_environment = TZ LD_LIBRARY_PATH
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = {uid}
last_valid_uid = {uid}
first_valid_gid = {gid}
mail_uid = {uid}
mail_gid = {gid}
mail_home = {dir}/mail/%Lu
mail_location = maildir:~/Maildir
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_username_format = %Lu
auth_failure_delay = 0
ssl = yes
ssl_cert = <{dir}/tls/cert.pem
ssl_key = <{dir}/tls/key.pem
ssl_dh =
recipient_delimiter = +
lmtp_save_to_detail_mailbox = yes
mail_max_userip_connections = 200
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%Lu {dir}/passwd
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={dir}/mail/%Lu allow_all_users=no
}}
namespace inbox {{
  inbox = yes
  mailbox Spam {{
    auto = create
    special_use = \\Junk
  }}
  mailbox Sent {{
    auto = create
    special_use = \\Sent
  }}
}}
service imap-login {{
  chroot =
  process_min_avail = 1
  service_count = 0
  inet_listener imap {{
    address = {host}
    port = {imap}
  }}
  inet_listener imaps {{
    address = {host}
    port = {imaps}
    ssl = yes
  }}
}}
service lmtp {{
  chroot =
  inet_listener lmtp {{
    address = {host}
    port = {lmtp}
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
service imap {{
  process_limit = 512
}}
"""

# What an older server offers: neither IDLE nor MOVE.
OLD = """\
protocol imap {
  imap_capability = IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE LITERAL+ UIDPLUS SPECIAL-USE
}
"""


def main():
    # The library warns of plain passwords, which are fine on one machine, at every connection.
    warnings.simplefilter("ignore")
    logging.getLogger("mail").setLevel(logging.CRITICAL)
    options = arguments()
    folder = Path(options.dir).resolve()
    users = read_users(options)
    dovecot = find("dovecot", "dovecot-imapd dovecot-lmtpd", "/usr/sbin/dovecot")
    for part, package in (("imap", "dovecot-imapd"), ("lmtp", "dovecot-lmtpd")):
        if not (LIBEXEC / part).exists():
            sys.exit(f"mail_server: a part of Dovecot is missing: apt-get install {package}")
    find("openssl", "openssl", "/usr/bin/openssl")
    prepare(folder, users)
    become_nobody(folder)
    try:
        asyncio.run(serve(options, folder, users, dovecot))
    except KeyboardInterrupt:
        pass
    finally:
        if options.forget:
            shutil.rmtree(folder, ignore_errors=True)


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--dir", required=True, help="folder for mails, keys and logs")
    parser.add_argument(
        "--user",
        action="append",
        default=[],
        metavar="ADDRESS:SECRET",
        help="a mailbox and its password; may be repeated",
    )
    parser.add_argument("--users", metavar="FILE", help="the same, one on each line of a file")
    for name in (*IMAP_PORTS, "smtp", "smtps"):
        parser.add_argument(
            f"--{name}-port", type=int, default=0, metavar="PORT", help="else a free one"
        )
    parser.add_argument(
        "--flaky",
        type=int,
        default=0,
        metavar="N",
        help="deliver every Nth mail to only some of its recipients and answer 451, "
        "so that the sender repeats it",
    )
    parser.add_argument(
        "--refuse",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="answer 451 for this recipient, as an overfull mailbox does; may be repeated",
    )
    parser.add_argument(
        "--old",
        action="store_true",
        help="offer neither IDLE nor MOVE, as older servers do, so that clients must go and look",
    )
    parser.add_argument(
        "--record",
        action="store_true",
        help="write every mail that is taken into DIR/mails.jsonl, a line each, with its parts decoded",
    )
    parser.add_argument("--forget", action="store_true", help="remove the folder at the end")
    return parser.parse_args()


def read_users(options):
    """The mailboxes with their passwords, in lower case as mail servers compare them."""
    lines = list(options.user)
    if options.users:
        try:
            text = Path(options.users).read_text(encoding="utf-8")
        except OSError as error:
            sys.exit(f"mail_server: could not read the users: {error}")
        lines += [line.strip() for line in text.splitlines()]
    users = {}
    for line in lines:
        if not line or line.startswith("#"):
            continue
        address, colon, secret = line.partition(":")
        if not colon or not secret or ":" in secret or not ADDRESS.fullmatch(address):
            sys.exit(
                f"mail_server: {address!r} must be written as red@league.test:secret, "
                "without a colon in the secret and without a plus in the address"
            )
        users[address.lower()] = secret
    if not users:
        sys.exit("mail_server: name a mailbox, for instance --user red@league.test:secret")
    return users


def find(program, package, usual):
    found = shutil.which(program) or (usual if Path(usual).exists() else None)
    if not found:
        sys.exit(f"mail_server: {program} is missing; install it with: apt-get install {package}")
    return found


def prepare(folder, users):
    """Writes the users and, once, a certificate for this machine."""
    strange = {place.name for place in folder.glob("*")} - OURS if folder.is_dir() else set()
    if strange:
        # Its owner may change, and it may be removed at the end: so it must be nobody else's.
        name = sorted(strange)[0]
        sys.exit(f"mail_server: {folder} holds other things ({name}); name a folder of its own")
    try:
        (folder / "tls").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        sys.exit(f"mail_server: could not make the folder: {error}")
    (folder / "ready.json").unlink(missing_ok=True)
    lines = [f"{address}:{{PLAIN}}{secret}::::::\n" for address, secret in users.items()]
    passwd = folder / "passwd"
    passwd.write_text("".join(lines), encoding="utf-8")
    passwd.chmod(0o600)
    key, certificate = folder / "tls/key.pem", folder / "tls/cert.pem"
    if not certificate.exists():
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "3650"]
        command += ["-subj", "/CN=localhost", "-keyout", key, "-out", certificate]
        command += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
        # So that strict readers accept a certificate that signs itself.
        command += ["-addext", "basicConstraints=critical,CA:FALSE"]
        made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode != 0:
            sys.exit(f"mail_server: openssl could not make a certificate: {made.stderr.strip()}")


def become_nobody(folder):
    """Dovecot runs as one ordinary user; root hands its folder to `nobody` and becomes that."""
    if os.getuid() != 0:
        return
    for place in (folder, *folder.rglob("*")):
        os.chown(place, NOBODY, NOBODY, follow_symlinks=False)
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    os.chdir("/")
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        sys.exit(f"mail_server: user {NOBODY} cannot enter {folder}; choose one under /tmp")


async def serve(options, folder, users, dovecot):
    over = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, over.set)
    ports, child = await start_dovecot(options, folder, dovecot)
    try:
        record = folder / "mails.jsonl" if options.record else None
        desk = Desk(users, ports["lmtp"], options.flaky, options.refuse, record)
        ports.update(await start_submission(options, folder, desk))
        ready = {"host": HOST, **ports, "ca": str(folder / "tls/cert.pem"), "voucher": VOUCHER}
        line = json.dumps(ready)
        scratch = folder / "ready.json.new"
        scratch.write_text(line + "\n", encoding="utf-8")
        scratch.rename(folder / "ready.json")
        print(line, flush=True)
        watch_input(loop, over)
        ended = asyncio.ensure_future(child.wait())
        stopped = asyncio.ensure_future(over.wait())
        await asyncio.wait({ended, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if ended.done():
            sys.exit(f"mail_server: dovecot ended by itself; see {folder}/dovecot.log")
    finally:
        await stop(child)


def watch_input(loop, over):
    """Whoever holds the other end of a pipe has us end with it."""
    kind = os.fstat(0).st_mode
    if not (stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)):
        return

    def look():
        if not os.read(0, 4096):
            loop.remove_reader(0)
            over.set()

    loop.add_reader(0, look)


async def start_dovecot(options, folder, program):
    """Free ports can be taken by others before Dovecot has them: then it is tried with others."""
    for _ in range(5):
        ports = choose_ports(options)
        who = pwd.getpwuid(os.getuid())
        names = {"user": who.pw_name, "group": group_name(), "uid": who.pw_uid, "gid": os.getgid()}
        text = DOVECOT.format(host=HOST, dir=folder, libexec=LIBEXEC, **names, **ports)
        config = folder / "dovecot.conf"
        config.write_text(text + (OLD if options.old else ""), encoding="utf-8")
        child = await asyncio.create_subprocess_exec(
            program, "-F", "-c", str(config),
            stdin=subprocess.DEVNULL, stdout=sys.stderr, preexec_fn=die_with_parent,
        )
        if await answers(ports, child):
            return ports, child
        await stop(child)
    log = folder / "dovecot.log"
    last = log.read_text(errors="replace").splitlines()[-3:] if log.exists() else []
    sys.exit("\n".join(["mail_server: dovecot did not start:", *last]))


def group_name():
    return grp.getgrgid(os.getgid()).gr_name


def choose_ports(options):
    held = {}
    for name in IMAP_PORTS:
        given = getattr(options, f"{name}_port")
        held[name] = None if given else socket.create_server((HOST, 0))
    ports = {
        name: holder.getsockname()[1] if holder else getattr(options, f"{name}_port")
        for name, holder in held.items()
    }
    for holder in held.values():
        if holder:
            holder.close()
    return ports


def die_with_parent():
    parent_death_signal = 1
    ctypes.CDLL(None).prctl(parent_death_signal, signal.SIGTERM)
    os.setpgid(0, 0)  # Ctrl-C is for us; we then end Dovecot in good order.


async def answers(ports, child):
    """Whether every port says hello; false if Dovecot ended instead."""
    waiting = [ports[name] for name in IMAP_PORTS]
    for _ in range(READY_TRIES):
        if child.returncode is not None:
            return False
        try:
            while waiting:
                _reader, writer = await asyncio.open_connection(HOST, waiting[0])
                writer.close()
                waiting.pop(0)
            return True
        except OSError:
            await asyncio.sleep(READY_PAUSE_S)
    return False


async def stop(child):
    """Ends Dovecot with all its processes: those that serve somebody would outlive the others."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(child.pid, number)
        except ProcessLookupError:
            break
        try:
            await asyncio.wait_for(child.wait(), 2)
        except asyncio.TimeoutError:
            pass
    await child.wait()


async def start_submission(options, folder, desk):
    loop = asyncio.get_running_loop()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(folder / "tls/cert.pem", folder / "tls/key.pem")
    common = {
        "authenticator": desk.authenticate,
        "auth_required": True,
        "auth_require_tls": False,
        "data_size_limit": SIZE_MAX,
        "enable_SMTPUTF8": True,
        "hostname": "localhost",
        "ident": "agon practice",
        "loop": loop,
    }
    try:
        plain = await loop.create_server(
            lambda: SMTP(desk, tls_context=context, **common), HOST, options.smtp_port
        )
        secure = await loop.create_server(
            lambda: SMTP(desk, **common), HOST, options.smtps_port, ssl=context
        )
    except OSError as error:
        sys.exit(f"mail_server: could not open the submission port: {error}")
    return {
        "smtp": plain.sockets[0].getsockname()[1],
        "smtps": secure.sockets[0].getsockname()[1],
    }


class Desk:
    """Takes mails from users who logged in, and hands them to Dovecot one recipient at a time."""

    def __init__(self, users, lmtp_port, flaky, overfull, record):
        self.users = users
        self.lmtp_port = lmtp_port
        self.flaky = flaky
        self.overfull = {address.lower() for address in overfull}
        self.shared = 0
        self.record = record
        # LMTP is spoken by blocking calls; a few at a time are plenty on one machine.
        self.threads = ThreadPoolExecutor(max_workers=4)

    def authenticate(self, _server, _session, _envelope, _mechanism, login):
        name = login.login.decode(errors="replace").lower()
        good = self.users.get(name) == login.password.decode(errors="replace")
        return AuthResult(success=good, handled=False, auth_data=name)

    async def handle_MAIL(self, _server, session, envelope, address, options):
        if address.lower() != session.auth_data:
            return f"553 5.7.1 You are {session.auth_data} and cannot write as {address}"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 Ok"

    async def handle_RCPT(self, _server, _session, envelope, address, options):
        if address.lower() in self.overfull:
            return f"452 4.2.2 {address} is over quota"
        if without_detail(address) not in self.users:
            return f"550 5.1.1 {address}: no such mailbox here"
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 Ok"

    async def handle_DATA(self, _server, session, envelope):
        head = email.parser.BytesHeaderParser(policy=email.policy.compat32).parsebytes(
            envelope.content
        )
        authors = [name for _, name in email.utils.getaddresses(head.get_all("From", []))]
        if [name.lower() for name in authors] != [session.auth_data]:
            return f"553 5.7.1 From: must name {session.auth_data} and nobody else"
        if self.record:
            self.write_down(envelope)
        voucher = f"Authentication-Results: {VOUCHER}; auth=pass smtp.auth={session.auth_data}\r\n"
        content = voucher.encode() + envelope.content
        recipients, flaky = envelope.rcpt_tos, False
        if self.flaky and len(recipients) > 1:
            self.shared += 1
            flaky = self.shared % self.flaky == 0
            recipients = recipients[: len(recipients) // 2] if flaky else recipients
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(
                self.threads, self.deliver, envelope.mail_from, recipients, content
            )
        except (smtplib.SMTPException, OSError) as error:
            return f"451 4.3.0 Could not deliver: {type(error).__name__}"
        if flaky:
            return "451 4.3.0 Some recipients have it, try again"
        return "250 2.0.0 Delivered"

    def write_down(self, envelope):
        """One line for one mail: who sends it to whom, its headers, and its parts in clear."""
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        parts = [part for part in mail.walk() if not part.is_multipart()]
        line = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "headers": dict(mail.items()),
            "parts": [{**dict(part.items()), "text": part.get_payload(decode=True).decode()}
                      for part in parts],
        }
        with self.record.open("a", encoding="utf-8") as record:
            record.write(json.dumps(line) + "\n")

    def deliver(self, sender, recipients, content):
        # LMTP answers once for each recipient, and smtplib reads one answer: so one at a time.
        with smtplib.LMTP(HOST, self.lmtp_port) as lmtp:
            for recipient in recipients:
                lmtp.sendmail(sender, [recipient], content)


def without_detail(address):
    """`red+Spam@league.test` is delivered into the folder Spam of `red@league.test`."""
    name, _, domain = address.lower().rpartition("@")
    return f"{name.partition('+')[0]}@{domain}"


if __name__ == "__main__":
    main()
