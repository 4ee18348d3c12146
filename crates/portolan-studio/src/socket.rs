//! The socket of one page: a task that reads, one that writes, and one that has commands carried out, with short queues
//! between them, so that a page that does not read its answers holds up only itself.
//!
//! Not here: what commands do.

use crate::answer::{Answer, Reply};
use crate::budget::{Budget, Share};
use crate::command::{Command, Only, Request};
use crate::frame::{Frame, Parts, decode, decode_text, encode};
use crate::session::Session;
use crate::session::leash::{Leash, Tether};
use crate::studio::House;
use crate::{lab, limits};
use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket};
use futures_util::future::{self, Either};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use std::ops::ControlFlow;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio::time::{sleep, timeout};

/// Most commands that wait for their turn.
const WAITING: usize = 64;
/// Most kibibytes of the messages of waiting commands: enough for one uploaded file, however many commands there are.
const WAITING_KIB: usize = limits::MESSAGE >> 10;
/// Most answers that wait to be sent.
const UNSENT: usize = 2;
/// Time without an answer to send after which the page is pinged, to find out whether it is still there.
const QUIET: Duration = Duration::from_secs(30);
/// Longest time that a page may take to receive an answer.
const PATIENCE: Duration = Duration::from_mins(5);
/// Longest time that a page may take to receive the last answers, after it has sent its last command.
const FAREWELL: Duration = Duration::from_secs(1);

/// A message that waits to be sent.
enum Unsent {
    /// An answer, and the share of the memory that it takes.
    Answer(Frame, Share),
    /// The answer to a ping. It is in the socket's own buffer already and is sent when that buffer is flushed. It takes
    /// a place among the answers, so that a page that pings and does not read its answers is read no further.
    Pong,
}

impl Unsent {
    /// Makes an answer, whose memory is counted until it is sent.
    fn answer(frame: Frame, budget: &Arc<Budget>) -> Unsent {
        let share = budget.count(frame.len());
        Unsent::Answer(frame, share)
    }
}

/// A command that waits for its turn.
struct Order {
    request: Request,
    leash: Leash,
    /// The memory of its message.
    _memory: Share,
    /// Its part of the room for messages of waiting commands.
    _share: OwnedSemaphorePermit,
}

/// Serves a page until it is gone, the server closes, or the page does not receive its answers. When this returns, all
/// memory of the page is freed.
pub(crate) async fn serve(socket: WebSocket, house: Arc<House>) {
    let (sink, stream) = socket.split();
    let (answers, unsent) = mpsc::channel(UNSENT);
    let (orders, waiting) = mpsc::channel(WAITING);
    let tether = Arc::new(Tether::new(Arc::clone(&house.strays), Arc::clone(&house.budget)));
    let mut closing = house.closing.clone();
    let catalogue = Unsent::answer(house.catalogue.clone(), &house.budget);
    let worker = tokio::spawn(work(house, waiting, answers.clone()));
    {
        let greeted = answers.send(catalogue).await;
        let reading = pin!(read(stream, orders, answers, &tether));
        let writing = pin!(write(sink, unsent));
        let closed = pin!(async { closing.wait_for(|&closing| closing).await.is_ok() });
        if greeted.is_ok()
            && let Either::Right((Either::Left(((), writing)), _)) =
                future::select(closed, future::select(reading, writing)).await
        {
            // No more commands are read. The present ones are cancelled, and a page that is still there gets the last
            // answers.
            tether.cut(u64::MAX);
            let _ = timeout(FAREWELL, writing).await;
        }
    }
    tether.cut(u64::MAX);
    // The result does not matter: the page is gone, and a panic of the worker was printed to standard error.
    let _ = worker.await;
}

/// Reads commands until the page is gone or has sent too many messages in a row that cannot be read.
async fn read(
    mut stream: SplitStream<WebSocket>,
    orders: mpsc::Sender<Order>,
    answers: mpsc::Sender<Unsent>,
    tether: &Arc<Tether>,
) {
    let mut queue = Queue { orders, room: Arc::new(Semaphore::new(WAITING_KIB)), tether, number: 0 };
    let budget = tether.budget();
    // The socket's buffer stays as large as the largest message so far, so its size is counted.
    let (mut buffer, mut largest) = (budget.count(0), 0);
    let mut malformed = 0;
    while let Some(received) = stream.next().await {
        let (read, size) = match received {
            Ok(Message::Text(text)) => (decode_text(&text), text.len()),
            Ok(Message::Binary(bytes)) => (decode(&bytes), bytes.len()),
            Ok(Message::Ping(_)) => {
                if answers.send(Unsent::Pong).await.is_err() {
                    return;
                }
                continue;
            }
            Ok(Message::Pong(_)) => continue,
            Ok(Message::Close(_)) => return,
            Err(error) => {
                // The message is too large, or breaks the WebSocket protocol: it is not known where the next message
                // begins.
                let _ = answers.send(Unsent::answer(fault(0, &error), budget)).await;
                return;
            }
        };
        largest = size.max(largest);
        buffer.settle(largest);
        let read = read
            .map_err(|error| fault(0, &error))
            .and_then(|(head, parts)| Request::read(head, parts).map_err(|(id, error)| fault(id, &error)));
        let request = match read {
            Ok(request) => request,
            Err(complaint) => {
                malformed += 1;
                if answers.send(Unsent::answer(complaint, budget)).await.is_err() || malformed >= limits::MALFORMED {
                    return;
                }
                continue;
            }
        };
        malformed = 0;
        match queue.put(request, size).await {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => return,
            Err(complaint) => {
                if answers.send(Unsent::answer(complaint, budget)).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// The queue in which commands wait for their turn.
struct Queue<'a> {
    orders: mpsc::Sender<Order>,
    /// Room for the messages of waiting commands, in kibibytes.
    room: Arc<Semaphore>,
    tether: &'a Arc<Tether>,
    /// The number of commands so far.
    number: u64,
}

impl Queue<'_> {
    /// Puts a command into the queue and returns whether more commands can follow. A `cancel` is not queued but takes
    /// effect at once. If there is no memory for the message of the command, returns an error message for the page.
    async fn put(&mut self, request: Request, size: usize) -> Result<ControlFlow<()>, Frame> {
        if let Command::Cancel { only } = request.command {
            match only {
                None => self.tether.cut(self.number),
                Some(Only::Find) => self.tether.cut_finds(self.number),
            }
            return Ok(ControlFlow::Continue(()));
        }
        let memory = self.tether.budget().reserve(size).map_err(|full| fault(request.id, &full))?;
        self.number += 1;
        let share = (size >> 10).min(WAITING_KIB) as u32;
        let Ok(share) = Arc::clone(&self.room).acquire_many_owned(share).await else {
            return Ok(ControlFlow::Break(()));
        };
        let leash = Leash::new(self.number, matches!(request.command, Command::Find(_)), self.tether);
        let order = Order { request, leash, _memory: memory, _share: share };
        let is_put = self.orders.send(order).await.is_ok();
        Ok(if is_put { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    }
}

/// Sends answers until there are no more or the page does not take them.
async fn write(mut sink: SplitSink<WebSocket, Message>, mut unsent: mpsc::Receiver<Unsent>) {
    loop {
        let (message, _share) = match timeout(QUIET, unsent.recv()).await {
            Ok(Some(Unsent::Answer(Frame::Text(text), share))) => (Some(Message::Text(text.into())), Some(share)),
            Ok(Some(Unsent::Answer(Frame::Binary(bytes), share))) => (Some(Message::Binary(bytes.into())), Some(share)),
            Ok(Some(Unsent::Pong)) => (None, None),
            Ok(None) => break,
            // Only by writing to a machine can the server find out that it has gone without closing the connection.
            Err(_) => (Some(Message::Ping(Bytes::new())), None),
        };
        let sending = async {
            match message {
                Some(message) => sink.send(message).await,
                None => sink.flush().await,
            }
        };
        if !matches!(timeout(PATIENCE, sending).await, Ok(Ok(()))) {
            return;
        }
    }
    // Closing fails if the page is gone, which does not matter.
    let _ = timeout(PATIENCE, sink.close()).await;
}

/// Carries out commands one after the other.
async fn work(house: Arc<House>, mut waiting: mpsc::Receiver<Order>, answers: mpsc::Sender<Unsent>) {
    let mut session = Session::new(Arc::clone(&house.atlas));
    while let Some(Order { request, leash, _memory, _share }) = waiting.recv().await {
        let id = request.id;
        if matches!(request.command, Command::Race(_) | Command::Study(_)) {
            let frame = experiment(&house, &session, request, leash, answers.clone()).await;
            if answers.send(Unsent::answer(frame, &house.budget)).await.is_err() {
                return;
            }
            continue;
        }
        let Ok(permit) = Arc::clone(&house.cores).acquire_owned().await else { return };
        let fresh = || Session::new(Arc::clone(&house.atlas));
        // The memory that the command has set aside stays reserved until its answer is counted.
        let held = leash.clone();
        let work = pin!(carried_out(session, id, fresh, move |session| session.handle(request, &leash)));
        let moment = pin!(sleep(limits::SHORT));
        let ended = future::select(work, moment).await;
        // Long work goes on without its permit, so that short commands of other pages do not wait until a planner is
        // built.
        drop(permit);
        let (kept, frame) = match ended {
            Either::Left((done, _)) => done,
            Either::Right(((), work)) => work.await,
        };
        session = kept;
        let answer = Unsent::answer(frame, &house.budget);
        drop(held);
        if answers.send(answer).await.is_err() {
            return;
        }
    }
}

/// Runs a race or a study on a thread of its own, which sends its progress to the page. It needs no permit of those for
/// commands.
async fn experiment(
    house: &House,
    session: &Session,
    Request { id, command, .. }: Request,
    leash: Leash,
    answers: mpsc::Sender<Unsent>,
) -> Frame {
    let Ok(permit) = Arc::clone(&house.labs).try_acquire_owned() else {
        return fault(id, &"other pages are racing or studying; wait for them to end");
    };
    let (atlas, here) = (Arc::clone(&house.atlas), session.here());
    if let Err(full) = leash.set_aside(lab::needs(&command, &atlas, here.as_ref())) {
        return fault(id, &full);
    }
    let (tell, told) = oneshot::channel();
    let budget = Arc::clone(&house.budget);
    let work = move || {
        let mut progress = Telling { id, answers: &answers, budget: &budget, last: None };
        let done =
            lab::run(command, &atlas, here.as_ref(), &leash, &mut |done, total, what| progress.tell(done, total, what));
        let Reply { answer, parts } = done.unwrap_or_else(|error| Reply::fault(&error));
        let frame = encode(id, &answer, &parts).unwrap_or_else(|error| fault(id, &error));
        // The permit is given back before the answer is sent, so that a page that asks again at once finds it free.
        drop(permit);
        // Sending fails if the page is gone.
        let _ = tell.send(frame);
    };
    match std::thread::Builder::new().name("lab".into()).spawn(work) {
        Ok(_) => told.await.unwrap_or_else(|_| fault(id, &"something broke in the server; nothing came of it")),
        Err(error) => fault(id, &error),
    }
}

/// Sends the progress of a race or study to a page, at most once in each `EVERY`, and only if the queue of answers has
/// room.
struct Telling<'a> {
    id: u64,
    answers: &'a mpsc::Sender<Unsent>,
    budget: &'a Arc<Budget>,
    last: Option<Instant>,
}

impl Telling<'_> {
    const EVERY: Duration = Duration::from_millis(100);

    fn tell(&mut self, done: u64, total: u64, what: &str) {
        if self.last.is_some_and(|last| last.elapsed() < Self::EVERY) {
            return;
        }
        self.last = Some(Instant::now());
        let answer = Answer::Progress { done, total, what: what.to_owned() };
        if let Ok(frame) = encode(self.id, &answer, &Parts::default()) {
            // If the queue is full, this message is dropped; a later one tells the page more.
            let _ = self.answers.try_send(Unsent::answer(frame, self.budget));
        }
    }
}

/// Carries out a command on a thread that may block. If the command panics, the page gets an error message and goes on
/// with a fresh session.
async fn carried_out(
    mut session: Session,
    id: u64,
    fresh: impl Fn() -> Session,
    command: impl FnOnce(&mut Session) -> Reply + Send + 'static,
) -> (Session, Frame) {
    let done = tokio::task::spawn_blocking(move || {
        let Reply { answer, parts } = command(&mut session);
        let frame = encode(id, &answer, &parts).unwrap_or_else(|error| fault(id, &error));
        (session, frame)
    });
    done.await.unwrap_or_else(|_| (fresh(), fault(id, &"something broke in the server; open the world again")))
}

/// Makes an error message that answers the command of that number.
fn fault(id: u64, error: &impl ToString) -> Frame {
    let Reply { answer, parts } = Reply::fault(error);
    encode(id, &answer, &parts).unwrap_or_else(|_| Frame::Text(format!(r#"{{"id":{id},"re":"error","message":""}}"#)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atlas::Atlas;

    #[test]
    fn a_panic_is_told_and_the_session_begins_anew() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let fresh = || Session::new(Arc::new(Atlas::new(None)));
        let (session, frame) = runtime.block_on(carried_out(fresh(), 7, fresh, |_| panic!("on purpose")));
        let Frame::Text(text) = frame else { panic!("a complaint has no arrays") };
        assert!(text.contains(r#""id":7"#) && text.contains("broke"), "{text}");
        let (_, frame) = runtime.block_on(carried_out(session, 8, fresh, |_| Reply::alone(Answer::Rested)));
        assert_eq!(frame, Frame::Text(r#"{"id":8,"re":"rested"}"#.to_owned()));
    }
}
