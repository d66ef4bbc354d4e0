import ArgumentParser
import CoreDataJSON
import CoreDataTool
import Foundation

struct ProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Says what a recorded profile shows to be slow, and what to do.",
        discussion: """
            An app that is started with -com.apple.CoreData.Profile and a path, or opens a store with the option \
            ProfileFileURLKey, records its fetches, faults, saves, merges, migrations and statements to a file.

            This command counts them, and finds objects and relationships that are read one by one, requests that are \
            repeated, statements that read whole tables, and saves that block the main thread. The calls in the app \
            have names if the app lies where it ran, and llvm-symbolizer (it comes with Swift) or addr2line is found \
            in PATH.

            EXAMPLES
              .build/debug/App -com.apple.CoreData.Profile app.profile
              coredata profile app.profile
              coredata profile app.profile --json | jq '.findings[].message'
            """)

    @Argument(help: ArgumentHelp("The recorded file.", valueName: "file"), completion: .file())
    var file: String
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
        try reporting {
            let profile = try RecordedProfile(at: URL(fileURLWithPath: file))
            let scans = StatementScans()
            let review = ProfileReview(profile, CallNames(of: profile), scans: scans.tables)
            print(json ? review.json.indented : review.text)
        }
    }
}
