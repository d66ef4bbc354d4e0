public import CoreData

extension NSManagedObjectContext {
    // MARK: Inserting

    /// Inserts a new object of the class that is asked for: `let book: Book = context.insertObject()`.
    ///
    /// Traps if the model has no entity of the name, or its objects are of another class.
    public func insertObject<Object: Managed>() -> Object {
        let object = NSEntityDescription.insertNewObject(forEntityName: Object.entityName, into: self)
        guard let typed = object as? Object else {
            programmerError(
                "The entity \(Object.entityName) has the class \(type(of: object)), not \(Object.self): set the "
                    + "class in the model, or entityName in \(Object.self).")
        }
        return typed
    }

    // MARK: Saving

    /// Saves the context, or rolls back everything that was not saved; returns whether it saved.
    ///
    /// Where the error matters, use ``saveRollingBack()``.
    @discardableResult
    public func saveOrRollback() -> Bool {
        (try? saveRollingBack()) != nil
    }

    /// Saves the context; if that fails, rolls back everything that was not saved.
    ///
    /// - Throws: The error of the save.
    public func saveRollingBack() throws { try saving {} }

    /// Saves or rolls back on the context's queue, later; an error is dropped.
    public func performSaveOrRollback() {
        perform { self.saveOrRollback() }
    }

    // MARK: Changing

    /// Runs a block on the context's queue, later, then saves or rolls back; an error of the save is dropped.
    public func performChanges(block: @escaping () -> Void) {
        perform {
            block()
            self.saveOrRollback()
        }
    }

    /// Runs a block on the context's queue, saves, and returns the result of the block.
    ///
    /// If the block or the save throws, everything that was not saved is rolled back, changes from before the
    /// block included. The result is `Sendable`: an object's ID, not the object.
    ///
    /// - Throws: The error of the block or of the save.
    public nonisolated(nonsending) func performChanges<Result: Sendable>(
        _ block: @escaping () throws -> Result
    ) async throws -> Result {
        try await perform { try self.saving(block) }
    }

    private func saving<Result>(_ block: () throws -> Result) throws -> Result {
        do {
            let result = try block()
            try save()
            return result
        } catch {
            rollback()
            throw error
        }
    }
}
