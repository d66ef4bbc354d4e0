import ArgumentParser
import CoreDataJSON
import CoreDataTool
import Foundation

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks a store for faults, and repairs a copy.",
        discussion: """
            Checks the database itself (SQLite's integrity check), references to objects that do not exist or are of \
            the wrong entity, one-to-one relationships whose sides disagree, members of ordered relationships without \
            a position, the highest key of each entity (Z_MAX), files of big values that are gone or that no row \
            names, and the history.

            With --repair a SQLite store is copied and the copy is repaired; faults that are left are listed. The store itself stays \
            as it is.

            The exit code is 0 if nothing was found, or nothing is left after a repair, and 1 otherwise. \
            With --json a repair is an object: the faults found, and those left.

            EXAMPLES
              coredata check Library.sqlite
              coredata check Library.sqlite --json | jq '.[].kind'
              coredata check Library.sqlite --repair Repaired.sqlite
            """)

    @OptionGroup var store: StoreArguments
    @Option(
        help: ArgumentHelp("Repair a copy at this path.", valueName: "copy"), completion: .file())
    var repair: String?
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
        try reporting {
            let opened = try store.opened()
            if opened.model == nil {
                warn(
                    "\(opened.url.place) carries no model, so only the database was checked: name one with --model"
                )
            }
            let findings = try findings(of: opened)
            guard let repair else {
                try report(findings)
                if !findings.isEmpty { throw ExitCodes.findings }
                return
            }
            try self.repair(findings, of: opened, at: URL(fileURLWithPath: repair))
        }
    }

    private func findings(of opened: OpenedStore) throws -> [Finding] {
        let bar = ProgressBar("Checking")
        defer { bar.finish() }
        return try StoreCheck(opened).findings { bar.show($0, of: $1) }
    }

    private func repair(_ findings: [Finding], of opened: OpenedStore, at target: URL) throws {
        if !json { try report(findings) }
        let repair = StoreRepair(findings)
        try ProgressBar("Repairing").waiting { try repair.repair(opened, copyTo: target) }
        let left = try self.findings(
            of: OpenedStore(at: target, model: store.model.map(URL.init(store:))))
        if json {
            let outcome = [("found", findings), ("left", left)].map { name, findings in
                JSONValue.Member(name, .array(findings.map(\.json)))
            }
            try show(JSONValue.object(outcome).indented)
        } else {
            for line in repair.plan { try show("repaired: \(line)") }
            try show("\(target.path): \(left.isEmpty ? "no problem left" : "what is left:")")
            if !left.isEmpty { try report(left) }
        }
        if !left.isEmpty { throw ExitCodes.findings }
    }

    private func report(_ findings: [Finding]) throws {
        if json {
            try show(JSONValue.array(findings.map(\.json)).indented)
        } else if findings.isEmpty {
            try show("no problem found")
        } else {
            for finding in findings { try show(finding.text) }
        }
    }
}
