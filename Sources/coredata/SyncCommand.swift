import ArgumentParser
import CoreDataJSON
import CoreDataTool
import Foundation

struct SyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Shows what a synced store waits for, and checks whether a model can be synced.",
        discussion: """
            A store that CoreDataSync syncs has its ledger beside it: Library.sqlite has Library.sync.sqlite. The app may \
            run while these commands read it.
            """,
        subcommands: [
            SyncStatusCommand.self, SyncPendingCommand.self, SyncIssuesCommand.self, SyncVerifyCommand.self,
            SyncLintCommand.self, SyncResetCommand.self,
        ])
}

/// The store whose ledger a command reads.
struct SyncedStore: ParsableArguments {
    @Argument(help: "The store, beside which its ledger is.", completion: .file()) var store: String

    var url: URL { get throws { try URL(store: store) } }
}

struct SyncStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows the zone, what waits, and how far the server was read.")

    @OptionGroup var store: SyncedStore
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
        try reporting {
            let report = try LedgerReport(of: store.url)
            try show(json ? report.statusJSON.indented : report.status)
        }
    }
}

struct SyncPendingCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pending", abstract: "Lists the edits that the server has not taken.")

    @OptionGroup var store: SyncedStore
    @Flag(help: "Print JSON.") var json = false

    func run() throws { try reporting { try list(LedgerReport(of: store.url).pending, json: json) } }
}

struct SyncIssuesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issues",
        abstract: "Lists what lost, was refused or waits, and was not acknowledged by the app.",
        discussion: """
            conflict: a value that lost. question: one about which the model has the app asked. bin: an edit that met a \
            deletion. rejected: an edit that the server did not take. parked: an object that the store does not take. \
            repair: the store differed from the server without an edit.
            """)

    @OptionGroup var store: SyncedStore
    @Flag(help: "Print JSON.") var json = false

    func run() throws { try reporting { try list(LedgerReport(of: store.url).issues, json: json) } }
}

struct SyncVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compares a store, object by object, with what its ledger knows.",
        discussion: """
            edit: the next sync finds it by itself, since the history tells of it. difference: a program that keeps no \
            history has written it; the app sends it by StoreSynchronizer.verify(). Nothing is changed, and the app may \
            run. The exit code is 1 if there is a difference.
            """)

    @OptionGroup var store: StoreArguments
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
        try reporting {
            let opened = try store.opened()
            let report = try LedgerReport(of: opened.url)
            let comparison = try report.comparison(with: opened)
            try show(json ? comparison.json.indented : comparison.text)
            if !comparison.isExpected { throw ExitCodes.findings }
        }
    }
}

private func list(_ lines: [LedgerLine], json: Bool) throws {
    if json {
        try show(LedgerLine.json(lines).indented)
    } else if !lines.isEmpty {
        try show(LedgerLine.text(lines))
    }
}

struct SyncLintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Says how a model is synced, and what of it cannot be.",
        discussion: """
            The exit code is 1 if the model cannot be synced, or devices with the older version could not go on beside it.

            EXAMPLES
              coredata sync lint Library.xcdatamodeld
              coredata sync lint Library.xcdatamodeld --after Shipped.mom
            """)

    @OptionGroup var model: ModelArgument
    @Option(help: "The version that devices have now.", completion: .file()) var after: String?

    func run() throws {
        try reporting {
            let lint = try SyncLint(model.source, after: after.map { try ModelSource(URL(store: $0)) })
            if !lint.lines.isEmpty { try show(lint.lines.joined(separator: "\n")) }
            for problem in lint.problems { warn(problem) }
            if !lint.problems.isEmpty { throw ExitCodes.findings }
        }
    }
}

struct SyncResetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset-ledger",
        abstract: "Removes the ledger of a store whose app does not run.",
        discussion: """
            The store stays as it is. When the app starts again it has to decide (StoreSyncError.needsDecision): objects \
            that only the store has are sent as new ones, or deleted. Issues are gone, and edits that were not sent are \
            told from what the server has by their values alone.
            """)

    @OptionGroup var store: SyncedStore
    @Flag(help: "Says that it is meant.") var yes = false

    func validate() throws {
        guard yes else { throw ValidationError("this cannot be undone: --yes is needed") }
    }

    func run() throws { try reporting { try LedgerReport.removeLedger(of: store.url) } }
}
