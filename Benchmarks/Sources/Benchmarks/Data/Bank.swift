import CoreData
import Foundation

final class Account: NSManagedObject {
    private static let nameProperty = ManagedProperty("name")
    private static let balanceProperty = ManagedProperty("balance")

    var name: String? {
        get { ManagedAccess.read(self, Self.nameProperty) }
        set { ManagedAccess.write(self, Self.nameProperty, newValue) }
    }
    var balance: Int64 {
        get { ManagedAccess.read(self, Self.balanceProperty) }
        set { ManagedAccess.write(self, Self.balanceProperty, newValue) }
    }
}

final class Entry: NSManagedObject {
    private static let amountProperty = ManagedProperty("amount")
    private static let accountProperty = ManagedProperty("account")

    var amount: Int64 {
        get { ManagedAccess.read(self, Self.amountProperty) }
        set { ManagedAccess.write(self, Self.amountProperty, newValue) }
    }
    var account: Account? {
        get { ManagedAccess.read(self, Self.accountProperty) }
        set { ManagedAccess.write(self, Self.accountProperty, newValue) }
    }
}

/// A model of accounts, and of an entry for each amount that an account gains or loses.
enum Bank {
    static func makeModel() -> NSManagedObjectModel {
        let account = NSEntityDescription(
            Account.self, "Account", ["name": .stringAttributeType, "balance": .integer64AttributeType])
        account.addIndex(on: "name")
        let entry = NSEntityDescription(Entry.self, "Entry", ["amount": .integer64AttributeType])
        account.relate(
            "entries", to: entry, isToMany: true, deleteRule: .cascadeDeleteRule, inverse: "account",
            isInverseToMany: false)
        return NSManagedObjectModel(account, entry)
    }
}

/// An amount to move from one account to another.
struct Transfer {
    let from: Int64
    let to: Int64
    let amount: Int64

    /// Returns random transfers, the same in every run.
    static func random(_ count: Int, among accounts: Int, seed: UInt64) -> [Transfer] {
        var random = RandomNumbers(seed: seed)
        return (0..<count).map { _ in
            let from = Int64.random(in: 1...Int64(accounts), using: &random)
            let distance = Int64.random(in: 1..<Int64(accounts), using: &random)
            let to = (from - 1 + distance) % Int64(accounts) + 1
            return Transfer(from: from, to: to, amount: Int64.random(in: 1...10, using: &random))
        }
    }

    /// Makes the transfer, and retries it as long as another context has changed the accounts in the
    /// meantime.
    func make(in coordinator: NSPersistentStoreCoordinator, merges: Bool) throws {
        while true {
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
            context.automaticallyMergesChangesFromParent = merges
            do {
                return try context.performAndWait { try make(in: context) }
            } catch let error as NSError where error.code == NSManagedObjectMergeError {
                continue
            }
        }
    }

    private func make(in context: NSManagedObjectContext) throws {
        let names = ["account \(from)", "account \(to)"]
        let found = try context.objects("Account", of: Account.self) {
            $0.predicate = NSPredicate(format: "name IN %@", names)
        }
        guard found.count == 2 else { throw BenchmarkError("an account is missing") }
        for account in found {
            let change = account.name == names[0] ? -amount : amount
            account.balance += change
            let entry = Entry(context: context)
            entry.amount = change
            entry.account = account
        }
        try context.save()
    }
}
