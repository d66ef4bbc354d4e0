import CoreData
import CoreDataModelFormat
import CoreDataPredicates
import CoreDataSQL
import CoreDataStore
package import Foundation

/// Why the tool cannot do what it was asked, in words for whoever typed the command.
package struct ToolError: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// What any error says, in one line where it has one: Cocoa's errors hide their reason from `description`.
package enum ErrorText {
    package static func describe(_ error: any Error) -> String {
        switch error {
        case let error as ToolError: error.description
        case let error as StoreError: error.path.map { "\($0): \(error.message)" } ?? error.message
        case let error as SQLError: error.description
        case let error as PredicateSyntaxError: "malformed predicate: \(error)"
        case let error as ModelFileError: error.description
        case let error as ModelCompiler.Failure: error.description
        default: describe(error as NSError)
        }
    }

    private static func describe(_ error: NSError) -> String {
        let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
        guard details.isEmpty else { return details.map { describe($0) }.joined(separator: "\n") }
        let path = error.userInfo[NSFilePathErrorKey] as? String
        let parts = [path, error.localizedDescription, error.localizedFailureReason].compactMap { $0 }
        return parts.joined(separator: ": ")
    }
}
