public import Foundation

/// An error of a container, a context or a request.
///
/// A `catch` compares it with one of the constants: `catch SwiftDataError.loadIssueModelContainer`.
public struct SwiftDataError: Error, Sendable, LocalizedError, CustomStringConvertible {
    enum Code: String, Sendable {
        case unsupportedKeyPath, unsupportedPredicate, unsupportedSortDescriptor
        case backwardMigration, unknownSchema
        case configurationSchemaNotFoundInContainerSchema, duplicateConfiguration, loadIssueModelContainer
        case historyTokenExpired, invalidTransactionFetchRequest
    }

    let code: Code
    /// What is wrong, with the names of what it is wrong with.
    private let explanation: String?
    /// The error of Core Data beneath; nil for none.
    public let underlyingError: NSError?

    init(_ code: Code, _ explanation: String? = nil, underlying: NSError? = nil) {
        self.code = code
        self.explanation = explanation
        underlyingError = underlying
    }

    /// A container could not be made of its schema and configurations.
    public static let loadIssueModelContainer = SwiftDataError(.loadIssueModelContainer)

    /// A store is of a later version than the models of the container.
    public static let backwardMigration = SwiftDataError(.backwardMigration)
    /// A store is of a version that its migration plan does not know, or a stage names such a version.
    public static let unknownSchema = SwiftDataError(.unknownSchema)
    /// A part of the history after a token was deleted.
    public static let historyTokenExpired = SwiftDataError(.historyTokenExpired)
    /// A descriptor asks for what no history has.
    public static let invalidTransactionFetchRequest = SwiftDataError(.invalidTransactionFetchRequest)

    /// Returns whether an error is of the kind of a constant.
    public static func ~= (pattern: SwiftDataError, error: any Error) -> Bool {
        (error as? SwiftDataError)?.code == pattern.code
    }

    /// The kind of the error, and what is wrong.
    public var description: String {
        [code.rawValue, explanation, underlyingError.map { "\($0)" }].compactMap(\.self)
            .joined(separator: ": ")
    }

    /// The kind of the error, and what is wrong.
    public var errorDescription: String? { description }
}
