#if compiler(>=6.2)
public import Foundation

/// Foundation's methods for observing messages, for the framework's own messages. The default centre posts
/// messages of a type after the first call for that type.
///
/// Unlike Apple's: a program that uses them must not observe notifications of every name (`forName: nil`):
/// Foundation passes messages to those observers as well, and then traps.
extension NotificationCenter {
    /// Calls a closure on the main actor at each message of a kind from one subject, before the call that
    /// caused the message returns.
    ///
    /// - Parameters:
    ///   - subject: The context or coordinator to observe.
    ///   - identifier: The kind of message, such as `.didSave`.
    ///   - observer: The closure.
    /// - Returns: The token of the observation, which ends when the token is freed or removed.
    public func addObserver<Identifier: MessageIdentifier, Message: MainActorNotificationMessage>(
        of subject: Message.Subject, for identifier: Identifier,
        using observer: @escaping @MainActor (Message) -> Void
    ) -> ObservationToken where Identifier.MessageType == Message {
        addObserver(of: subject, for: Message.self, using: observer)
    }

    /// Calls a closure on the main actor at each message of a kind from any subject, before the call that
    /// caused the message returns.
    ///
    /// - Parameters:
    ///   - subject: The type of the contexts or coordinators to observe.
    ///   - identifier: The kind of message, such as `.didSave`.
    ///   - observer: The closure.
    /// - Returns: The token of the observation, which ends when the token is freed or removed.
    public func addObserver<Identifier: MessageIdentifier, Message: MainActorNotificationMessage>(
        of subject: Message.Subject.Type, for identifier: Identifier,
        using observer: @escaping @MainActor (Message) -> Void
    ) -> ObservationToken where Identifier.MessageType == Message {
        addObserver(of: nil, for: Message.self, using: observer)
    }

    /// Calls a closure on the main actor at each message of a type, before the call that caused the message
    /// returns.
    ///
    /// - Parameters:
    ///   - subject: The context or coordinator to observe; nil for all.
    ///   - messageType: The type of the messages.
    ///   - observer: The closure.
    /// - Returns: The token of the observation, which ends when the token is freed or removed.
    public func addObserver<Message: MainActorNotificationMessage>(
        of subject: Message.Subject? = nil, for messageType: Message.Type,
        using observer: @escaping @MainActor (Message) -> Void
    ) -> ObservationToken {
        MessagePosting.start(Message.self)
        return addPlainObserver(of: subject, for: Message.self, using: observer)
    }

    /// Calls a closure in a task, later, for each message of a kind from one subject.
    ///
    /// - Parameters:
    ///   - subject: The context or coordinator to observe.
    ///   - identifier: The kind of message, such as `.didSaveObjectIDsAsync`.
    ///   - observer: The closure.
    /// - Returns: The token of the observation, which ends when the token is freed or removed.
    public func addObserver<Identifier: MessageIdentifier, Message: AsyncNotificationMessage>(
        of subject: Message.Subject, for identifier: Identifier,
        using observer: @escaping @Sendable (Message) async -> Void
    ) -> ObservationToken where Identifier.MessageType == Message {
        addObserver(of: subject, for: Message.self, using: observer)
    }

    /// Calls a closure in a task, later, for each message of a kind from any subject.
    ///
    /// - Parameters:
    ///   - subject: The type of the contexts or coordinators to observe.
    ///   - identifier: The kind of message, such as `.didSaveObjectIDsAsync`.
    ///   - observer: The closure.
    /// - Returns: The token of the observation, which ends when the token is freed or removed.
    public func addObserver<Identifier: MessageIdentifier, Message: AsyncNotificationMessage>(
        of subject: Message.Subject.Type, for identifier: Identifier,
        using observer: @escaping @Sendable (Message) async -> Void
    ) -> ObservationToken where Identifier.MessageType == Message {
        addObserver(of: nil, for: Message.self, using: observer)
    }

    /// Calls a closure in a task, later, for each message of a type.
    ///
    /// - Parameters:
    ///   - subject: The context or coordinator to observe; nil for all.
    ///   - messageType: The type of the messages.
    ///   - observer: The closure.
    /// - Returns: The token of the observation, which ends when the token is freed or removed.
    public func addObserver<Message: AsyncNotificationMessage>(
        of subject: Message.Subject? = nil, for messageType: Message.Type,
        using observer: @escaping @Sendable (Message) async -> Void
    ) -> ObservationToken {
        MessagePosting.start(Message.self)
        return addPlainObserver(of: subject, for: Message.self, using: observer)
    }

    /// Returns the messages of a kind from one subject as a sequence.
    ///
    /// - Parameters:
    ///   - subject: The context or coordinator to observe.
    ///   - identifier: The kind of message, such as `.didSaveObjectIDsAsync`.
    ///   - limit: The number of messages that wait for a slow reader; beyond it messages are lost.
    public func messages<Identifier: MessageIdentifier, Message: AsyncNotificationMessage>(
        of subject: Message.Subject, for identifier: Identifier, bufferSize limit: Int = 10
    ) -> some AsyncSequence<Message, Never> & Sendable where Identifier.MessageType == Message {
        postedMessages(of: subject, for: Message.self, bufferSize: limit)
    }

    /// Returns the messages of a kind from any subject as a sequence.
    ///
    /// - Parameters:
    ///   - subject: The type of the contexts or coordinators to observe.
    ///   - identifier: The kind of message, such as `.didSaveObjectIDsAsync`.
    ///   - limit: The number of messages that wait for a slow reader; beyond it messages are lost.
    public func messages<Identifier: MessageIdentifier, Message: AsyncNotificationMessage>(
        of subject: Message.Subject.Type, for identifier: Identifier, bufferSize limit: Int = 10
    ) -> some AsyncSequence<Message, Never> & Sendable where Identifier.MessageType == Message {
        postedMessages(of: nil, for: Message.self, bufferSize: limit)
    }

    /// Returns the messages of a type as a sequence.
    ///
    /// - Parameters:
    ///   - subject: The context or coordinator to observe; nil for all.
    ///   - messageType: The type of the messages.
    ///   - limit: The number of messages that wait for a slow reader; beyond it messages are lost.
    public func messages<Message: AsyncNotificationMessage>(
        of subject: Message.Subject? = nil, for messageType: Message.Type, bufferSize limit: Int = 10
    ) -> some AsyncSequence<Message, Never> & Sendable {
        postedMessages(of: subject, for: Message.self, bufferSize: limit)
    }

    /// Has messages of the type posted, and returns them as a sequence.
    ///
    /// The three public methods call this one and not each other: Swift 6.3 would treat their opaque results
    /// as different types, and optimized clients of a module that is built for testing would not compile.
    private func postedMessages<Message: AsyncNotificationMessage>(
        of subject: Message.Subject?, for messageType: Message.Type, bufferSize limit: Int
    ) -> some AsyncSequence<Message, Never> & Sendable {
        MessagePosting.start(Message.self)
        return plainMessages(of: subject, for: Message.self, bufferSize: limit)
    }

    // Without the constraint, the compiler chooses Foundation's methods.

    private func addPlainObserver<Message: MainActorMessage>(
        of subject: Message.Subject?, for messageType: Message.Type,
        using observer: @escaping @MainActor (Message) -> Void
    ) -> ObservationToken where Message.Subject: AnyObject {
        addObserver(of: subject, for: messageType, using: observer)
    }

    private func addPlainObserver<Message: AsyncMessage>(
        of subject: Message.Subject?, for messageType: Message.Type,
        using observer: @escaping @Sendable (Message) async -> Void
    ) -> ObservationToken where Message.Subject: AnyObject {
        addObserver(of: subject, for: messageType, using: observer)
    }

    private func plainMessages<Message: AsyncMessage>(
        of subject: Message.Subject?, for messageType: Message.Type, bufferSize limit: Int
    ) -> some AsyncSequence<Message, Never> & Sendable where Message.Subject: AnyObject {
        messages(of: subject, for: messageType, bufferSize: limit)
    }
}
#endif
