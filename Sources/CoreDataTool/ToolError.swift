package import CoreData
import CoreDataEditing
import CoreDataJSON
import CoreDataModelFormat
import CoreDataPredicates
import CoreDataSQL
import CoreDataStore
import Foundation

/// The error for a command that the tool cannot carry out, with a message for the user.
package struct ToolError: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// The texts of errors of any kind, for which the `description` of Cocoa's errors cannot be used, since it
/// hides the reason.
package enum ErrorText {
    /// The greatest number of errors of a list that are printed.
    private static let longestList = 20

    /// Returns the text of an error, in one line unless it lists several.
    ///
    /// - Parameter name: Returns the user's name for an object that an error concerns.
    package static func describe(
        _ error: any Error, naming name: (NSManagedObject) -> String? = { $0.entity.name }
    ) -> String {
        switch error {
        case let error as ToolError: error.description
        case let error as StoreError: error.path.map { "\($0): \(error.message)" } ?? error.message
        case let error as SQLError: error.description
        case let error as PredicateSyntaxError: "malformed predicate: \(error)"
        case let error as ModelFileError: error.description
        case let error as JSONSyntaxError: error.description
        case let error as CommandSyntaxError: error.description
        case let error as Refusal: error.description
        case let error as ModelCompiler.Failure: error.description
        default: describe(cocoa: error as NSError, naming: name)
        }
    }

    /// Returns the reason of an error in one sentence, without the object and property.
    package static func reason(of error: any Error) -> String {
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

    /// Returns the description and the reason of an error, or the reason alone if the description adds
    /// nothing.
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
