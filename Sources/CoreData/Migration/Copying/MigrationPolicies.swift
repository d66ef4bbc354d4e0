import Foundation

/// The maker of the policies of entity mappings.
struct MigrationPolicies {
    private let finders: [ClassFinder]

    /// Prepares for the policies of a manager.
    ///
    /// Classes are searched for beside the models, and in the program.
    init(_ manager: NSMigrationManager) {
        finders = [manager.destination, manager.source].map { ClassFinder(source: $0.model.sourceURL) }
    }

    /// Returns a new policy for a mapping.
    ///
    /// Throws `NSEntityMigrationPolicyError` if there is no class with the name, or it is no policy.
    func policy(of mapping: NSEntityMapping) throws -> NSEntityMigrationPolicy {
        guard let name = mapping.entityMigrationPolicyClassName, !name.isEmpty,
            name != "NSEntityMigrationPolicy"
        else { return NSEntityMigrationPolicy() }
        let found = finders.lazy.compactMap { $0.find(name, as: NSEntityMigrationPolicy.Type.self) }.first
        if let found { return found.init() }
        let advice =
            name.contains(".")
            ? "The name must begin with that of the module of the class."
            : "The name must include the module of the class, as in \"App.\(name)\"."
        throw CoreDataError.error(
            NSEntityMigrationPolicyError,
            reason:
                "The mapping \(mapping.name ?? "") names the policy \"\(name)\": the program has no subclass of "
                + "NSEntityMigrationPolicy of that name. \(advice)",
            ["entityMapping": mapping.name ?? ""])
    }
}
