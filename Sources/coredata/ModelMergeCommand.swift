import ArgumentParser
import CoreDataTool
import Foundation

struct ModelMergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merges two versions of a model that were made of one.",
        discussion: """
            Entities, properties and their settings are merged one by one, through renamings; positions never \
            conflict. Where the sides contradict each other, the model has ours, with a comment before the element \
            that lint reports until it is removed. The exit code is then 1, and the conflicts are on standard error.

            AS A MERGE DRIVER OF GIT
              git config merge.xcdatamodel.name 'Core Data models'
              git config merge.xcdatamodel.driver 'coredata model merge %O %A %B'
              echo '**/*.xcdatamodel/contents merge=xcdatamodel' >> .gitattributes

            EXAMPLES
              coredata model merge base/contents ours/contents theirs/contents --output merged/contents
            """)

    @Argument(help: "The version that both were made of: a contents file of any name, or an .xcdatamodel.")
    var base: String
    @Argument(help: "Our version, which becomes the merged one.", completion: .file()) var ours: String
    @Argument(help: "Their version.", completion: .file()) var theirs: String
    @Option(
        help: ArgumentHelp("Where to write, instead of over ours.", valueName: "file"), completion: .file())
    var output: String?

    func run() throws {
        try reporting {
            let files = [base, ours, theirs].map { URL(fileURLWithPath: $0) }
            let merge = try ModelFileMerge(base: files[0], ours: files[1], theirs: files[2])
            try merge.write(to: output.map { URL(fileURLWithPath: $0) })
            for conflict in merge.conflicts { warn("conflict: \(conflict)") }
            if !merge.conflicts.isEmpty { throw ExitCodes.findings }
        }
    }
}
