package import CoreData
import CoreDataModelFormat
import CoreDataPredicates
import CoreDataSQL
import CoreDataStore
import Foundation

/// Why the tool cannot do what it was asked, in words for whoever typed the command.
package struct ToolError: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// What any error says, in one line where it has one: Cocoa's errors hide their reason from `description`.
package enum ErrorText {
    /// How many errors of a list are told.
    private static let longestList = 20

    /// - Parameter name: what the user knows an object by, for errors that are about one.
    package static func describe(
        _ error: any Error, naming name: (NSManagedObject) -> String? = { $0.entity.name }
    ) -> String {
        switch error {
        case let error as ToolError: error.description
        case let error as StoreError: error.path.map { "\($0): \(error.message)" } ?? error.message
        case let error as SQLError: error.description
        case let error as PredicateSyntaxError: "malformed predicate: \(error)"
        case let error as ModelFileError: error.description
        case let error as ModelCompiler.Failure: error.description
        default: describe(cocoa: error as NSError, naming: name)
        }
    }

    /// Why it happened, in one sentence without the place.
    static func reason(of error: any Error) -> String {
        if let error = error as? StoreError { return error.message }
        return (error as NSError).localizedFailureReason ?? describe(error)
    }

    private static func describe(cocoa error: NSError, naming name: (NSManagedObject) -> String?) -> String {
        if let details = error.userInfo[NSDetailedErrorsKey] as? [NSError], !details.isEmpty {
            return list(details) { describe(cocoa: $0, naming: name) }
        }
        if let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict] {
            return list(conflicts) { describe($0, naming: name) }
        }
        let object = (error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject).flatMap(name)
        let path = error.userInfo[NSFilePathErrorKey] as? String
        let parts = [path, object] + sentences(of: error)
        return parts.compactMap { $0 }.joined(separator: ": ")
    }

    /// What happened and why; just why where the one has nothing beyond the other.
    private static func sentences(of error: NSError) -> [String] {
        let description = error.localizedDescription
        guard let reason = error.localizedFailureReason else { return [description] }
        let isGeneral = error.domain == NSCocoaErrorDomain && error.code == NSCoreDataError
        if isGeneral || description.hasSuffix(reason) { return [reason] }
        return [description.hasSuffix(".") ? String(description.dropLast()) : description, reason]
    }

    private static func describe(
        _ conflict: NSConstraintConflict, naming name: (NSManagedObject) -> String?
    ) -> String {
        let values = conflict.constraint.map { "\($0) \(conflict.constraintValues[$0] ?? "")" }
        let object = conflict.conflictingObjects.first.flatMap(name) ?? "an object"
        return "\(object): \(values.joined(separator: ", ")) is taken, and must be unique"
    }

    private static func list<Element>(_ elements: [Element], _ text: (Element) -> String) -> String {
        let lines = elements.prefix(longestList).map(text)
        let more = elements.count - lines.count
        return (lines + (more > 0 ? ["and \(more) more"] : [])).joined(separator: "\n")
    }
}
